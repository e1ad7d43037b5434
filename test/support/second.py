"""The tangent of each adjoint of a file agrees with differences of that adjoint.

usage: second.py BIN_FOLDER SOURCE PROGRAM FOLDER [--twice] RUN... -- REQUEST... -- KERNEL=REASON... -- FLAG...

SOURCE is differentiated into FOLDER, and each adjoint of a kernel in that once more, along what is active in it. PROGRAM, which includes
the generated file by its name, is compiled with GPUAD_AGAIN for the CPU and run. With --twice the tangents are differentiated once more
as well. A KERNEL that is named is left out, for the REASON.
"""

import os
import re
import shlex
import subprocess
import sys


def call(*command):
    result = subprocess.run(command, check=False)
    if result.returncode != 0:
        print(f"{shlex.join(command)} ended with {result.returncode}")
        sys.exit(1)


def parameters_of(text):
    """The names of a parameter list without its parentheses."""
    depth, parts = 0, [""]
    for char in text:
        depth += (char in "(<[{") - (char in ")>]}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    names = []
    for part in parts:
        part = re.sub(r"\[[^\]]*\]", "", part).replace(")", "")
        names.append(re.findall(r"[A-Za-z_]\w*", part)[-1])
    return names


def lists_of(section, mode):
    """What the comments above derivatives say: kernel -> the names of (dependents) / (independents)."""
    found = {}
    for match in re.finditer(rf"^// {mode} of ([\w:]+): ((?:[^\n]|\n// )*?\))\.", section, re.M):
        lists = re.fullmatch(r"\((.*)\) / \((.*)\)", match[2].replace("\n// ", " "))
        if lists:
            found[match[1]] = [[name.strip() for name in one.split(",")] for one in lists.groups()]
    return found


def with_shadows(names, ending):
    """a::b, x.field -> a::b_dot, x_dot.field behind each name."""
    return names + [re.sub(r"^((?:\w|::)+)", rf"\1{ending}", name) for name in names]


def tangents_of(generated):
    """Of the tangents of kernels in the generated part: kernel -> head of the tangent of its tangent."""
    section = generated[generated.index("// ---- derivatives ---"):]
    heads = {}
    for kernel, (dependents, independents) in lists_of(section, "Tangent").items():
        if re.search(rf"\bvoid launch_{kernel.split('::')[-1]}_tangent\(", section):
            lists = [",".join(with_shadows(names, "_dot")) for names in (dependents, independents)]
            heads[kernel] = f"{kernel}_tangent({lists[0]})/({lists[1]})"
    return heads


def adjoints_of(generated):
    """Of the adjoints in the generated part: kernel -> head of the tangent of its adjoint."""
    section = generated[generated.index("// ---- derivatives ---"):]
    pattern = re.compile(r"^namespace ([\w:]+) \{$|^\}  // namespace|^(template <.*\n)?__global__ (?:__launch_bounds__\([^)]*\) )?void "
                         r"(?:__launch_bounds__\([^)]*\) )?(\w+)_adjoint\(([^{;]*)\) \{", re.M)
    space, found, lists = [], {}, lists_of(section, "Adjoint")
    for match in pattern.finditer(section):
        if match[0].startswith("}"):
            space.pop()
        elif match[1]:
            space.append(match[1])
        elif not match[2]:
            names = parameters_of(match[4])
            active = [name for name, shadow in zip(names, names[1:]) if shadow == name + "_bar"]
            shadows = [name + "_bar" for name in active]
            prefix = "".join(one + "::" for one in space)
            globals_ = [name for part in lists.get(prefix + match[3], []) for name in part if name.startswith("::")]
            active, shadows = active + globals_, shadows + [name + "_bar" for name in globals_]
            if active:
                found[prefix + match[3]] = f"{prefix}{match[3]}_adjoint({','.join(shadows)})/({','.join(active + shadows)})"
    return found


def main(bin_folder, source, program, folder, runs, requests, without, flags):
    os.makedirs(folder, exist_ok=True)
    stem = os.path.splitext(os.path.basename(source))[0]
    first, again, names = (os.path.join(folder, name) for name in (stem + "_first.cu", stem + "_grad.cu", "without_second.h"))
    translator = os.path.join(bin_folder, "gpuad-translate")
    call(translator, *requests, source, "-o", first, "--", *flags)
    with open(first, encoding="utf-8") as file:
        text = file.read()
    found, tangents = adjoints_of(text), tangents_of(text)
    left_out = dict(one.split("=", 1) for one in without)
    unknown = [name for name in left_out if name not in found]
    if unknown:
        print("no adjoint to leave out: " + ", ".join(unknown))
        sys.exit(1)
    heads = [f"--tangent={head}" for name, head in found.items() if name not in left_out]
    if "--twice" in runs:
        runs, flags = [run for run in runs if run != "--twice"], [*flags, "-DGPUAD_TWICE"]
        heads += [f"--tangent={head}" for name, head in tangents.items() if name in found and name not in left_out]
    call(translator, *heads, first, "-o", again, "--", *flags)
    with open(names, "w", encoding="utf-8") as file:
        for name, reason in left_out.items():
            print(f"{name} is left out: {reason}")
        for name in left_out:
            file.write(f"#define GPUAD_WITHOUT_SECOND_{name.split('::')[-1]} ~, nullptr\n")
    call(os.path.join(bin_folder, "gpuad-cpucc"), "--strict", again if program == "-" else program, "-o", os.path.join(folder, "program"),
         "-std=c++17", f'-DGPUAD_AGAIN="{names}"', "-I", folder, *flags)
    for run in runs:
        call(os.path.join(folder, "program"), *([] if run == "-" else shlex.split(run)))


if __name__ == "__main__":
    ends = [i for i, argument in enumerate(sys.argv) if argument == "--"][:3]
    main(*sys.argv[1:5], sys.argv[5:ends[0]], sys.argv[ends[0] + 1:ends[1]], sys.argv[ends[1] + 1:ends[2]], sys.argv[ends[2] + 1:])
