"""What gpuad makes of public code: see parse.sh.

A file counts as parsed when both passes of the front end took it, as refused when they did not, and as crashed when the
translator ended in any way but with an exit status of its own, went wrong inside, or did not end. With --nvcc each output is
compiled as well, and one that nvcc rejects though it takes the input counts as crashed. A Makefile beside a file gives its -D
and -I flags.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REFUSED = {"compile-error", "input-unreadable", "bad-flags"}
BROKEN = {"internal-error"}

Result = collections.namedtuple("Result", "file outcome kernels made slugs note")


def makefile_flags(folder):
    """The -D and -I flags that its Makefile writes out."""
    path = os.path.join(folder, "Makefile")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        text = re.sub(r"#.*", "", file.read())
    flags = re.findall(r"(?<=\s)-[DI]\s*[^\s$\\]+(?=\s)", text)
    return [flag for flag in dict.fromkeys(flags) if flag != "-DDEBUG"]


def jobs_in(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    for place, *flags in lines:
        files = [place]
        if os.path.isdir(place):
            files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names
                           if name.endswith(".cu"))
        for one in files:
            yield one, flags + makefile_flags(os.path.dirname(one))


def run(command, folder, seconds):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stderr


def nvcc_takes(file, folder, flags):
    """Both of nvcc's front ends, without the assembler."""
    include = [f"-I{folder}", f"-I{ROOT}/runtime/include", f"-I{ROOT}/include"]
    command = ["nvcc", "-std=c++17", "-w", "-arch=sm_80", "-c", "--fdevice-syntax-only", file, "-o", "/dev/null"]
    status, text = run(command + include + flags, folder, 600)
    return status == 0, next((line for line in text.splitlines() if "error" in line), "")


def judge(job, options):
    file, flags = job
    folder = os.path.dirname(file) or "."
    with tempfile.TemporaryDirectory() as place:
        output = os.path.join(place, os.path.basename(file))
        command = [options.translator, os.path.basename(file), "-o", output, "--diagnostics-format=json", "--", "-std=c++17"]
        status, text = run(command + flags, folder, options.timeout)
        if status is None:
            return Result(file, "crashed", 0, 0, [], "does not end")
        if status not in (0, 1):
            return Result(file, "crashed", 0, 0, [], f"exit status {status}: {text[-200:]}")
        try:
            found = json.loads(text)["diagnostics"]
        except (ValueError, KeyError, TypeError) as error:
            return Result(file, "crashed", 0, 0, [], f"diagnostics that cannot be read: {error}")
        slugs = [one["id"].removeprefix("gpuad-") for one in found if one["severity"] != "remark"]
        first = next((f"{one.get('file')}:{one.get('line')}: {one['message']}" for one in found
                      if one["severity"] == "error"), "")
        if BROKEN & set(slugs):
            return Result(file, "crashed", 0, 0, slugs, first)
        if REFUSED & set(slugs):
            return Result(file, "refused", 0, 0, slugs, first)
        made = 0
        if status == 0:
            with open(output, encoding="utf-8", errors="replace") as written:
                section = written.read().rpartition("// ---- derivatives ")[2]
            made = len(re.findall(r"^// (?:Adjoint|Tangent) of ", section, re.M))
            if options.nvcc:
                taken, why = nvcc_takes(output, folder, flags)
                if not taken and nvcc_takes(os.path.abspath(file), folder, flags)[0]:
                    return Result(file, "crashed", 0, made, slugs, "nvcc rejects the output: " + why)
        return Result(file, "parsed", 0, made, slugs, first)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="take each K-th file only")
    parser.add_argument("--start", type=int, default=0, help="and start with this one")
    parser.add_argument("--nvcc", action="store_true")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--log", help="a line for each file")
    parser.add_argument("--translator", default=os.path.join(ROOT, "build/dev/bin/gpuad-translate"))
    options = parser.parse_args()
    jobs = list(jobs_in(options.list))[options.start::options.every]
    outcomes, slugs, made = collections.Counter(), collections.Counter(), 0
    log = open(options.log, "w", encoding="utf-8") if options.log else None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda job: judge(job, options), jobs):
            outcomes[result.outcome] += 1
            slugs.update(result.slugs)
            made += result.made
            if log:
                print(result.outcome, result.made, result.file, result.note, sep="\t", file=log, flush=True)
            if result.outcome == "crashed":
                print(f"CRASHED {result.file}: {result.note}")
    total = max(len(jobs), 1)
    print(f"{len(jobs)} files: {outcomes['parsed']} parsed ({100 * outcomes['parsed'] / total:.1f} %), "
          f"{outcomes['refused']} refused, {outcomes['crashed']} crashed")
    print(f"{made} derivatives made; diagnostics:")
    for slug, count in slugs.most_common():
        print(f"  {count:6d} {slug}")
    return 1 if outcomes["crashed"] else 0


if __name__ == "__main__":
    sys.exit(main())
