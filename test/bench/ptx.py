"""What nvcc makes of a file, phase by phase and kernel by kernel."""

import os
import re
import resource
import shlex
import subprocess

ARCHITECTURE = "sm_90"


class Failure(Exception):
    pass


def cpu_of(command, environment=None):
    """User and system seconds of a command, and what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, shell=isinstance(command, str), capture_output=True, text=True, check=False, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        raise Failure(f"{command}: {result.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result.stdout + result.stderr


def phases(nvcc, source, flags, folder):
    """(seconds of cicc, the PTX text)"""
    ptx = os.path.join(folder, "whole.ptx")
    plan = subprocess.run([nvcc, "--dryrun", "-std=c++17", f"-arch={ARCHITECTURE}", "-ptx", "-o", ptx, *flags, source],
                          capture_output=True, text=True, check=True).stderr
    environment, seconds = dict(os.environ), 0.0
    for line in plan.splitlines():
        if not line.startswith("#$ "):
            continue
        line = line[3:]
        setting = re.match(r"(\w+)=(.*)$", line)
        if setting:
            environment[setting.group(1)] = setting.group(2).strip()
            continue
        cost, _ = cpu_of(line, environment)
        if "cicc" in shlex.split(line)[0]:
            seconds = cost
    with open(ptx, encoding="utf-8") as file:
        return seconds, file.read()


def kernels_of(text):
    """{name: PTX of a module in which that kernel is the only one}"""
    pieces = re.split(r"^(?=(?:\.visible |\.weak |\.extern )?\.(?:entry|func|global|const|shared)\b|\t?// \.globl)", text, flags=re.M)
    entry = re.compile(r"(?:\.visible |\.weak )?\.entry (\w+)\(")
    names = {number: found.group(1) for number, piece in enumerate(pieces) if (found := entry.match(piece))}
    return {name: "".join(piece for number, piece in enumerate(pieces) if number == kept or number not in names)
            for kept, name in names.items()}


def body_of(module, name):
    return module[module.index(f".entry {name}("):]


def blocks(module, name):
    """Basic blocks: the entry, and one for each label."""
    return 1 + len(re.findall(r"^\$L__BB\d+_\d+:", body_of(module, name), re.M))


def assemble(nvcc, module, folder):
    """(seconds of ptxas, registers, bytes spilled, bytes of stack)"""
    path = os.path.join(folder, "one.ptx")
    with open(path, "w", encoding="utf-8") as file:
        file.write(module)
    ptxas = os.path.join(os.path.dirname(nvcc), "ptxas")
    seconds, told = cpu_of([ptxas, f"-arch={ARCHITECTURE}", "-v", path, "-o", os.path.join(folder, "one.cubin")])
    stack, stores, loads = map(int, re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", told)[-1])
    return seconds, int(re.findall(r"Used (\d+) registers", told)[-1]), stores + loads, stack


def named(modules, name):
    """The mangled name of a kernel."""
    return next(each for each in modules if each.startswith(f"_Z{len(name)}{name}") or each == name)
