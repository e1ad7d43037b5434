"""nvcc takes a generated file without a warning, for three architectures in one call.

usage: nvcc_check.py NVCC ORIGINAL GENERATED -- FLAG...

What nvcc already says about the original is no fault of ours: where it warns there, warnings are no errors, and an architecture
for which it refuses the original is left out. Ends with 77 (skipped) when there is no nvcc.
"""

import subprocess
import sys

ARCHITECTURES = (75, 90, 120)
SKIPPED = 77


def compile_file(nvcc, source, flags, architectures=ARCHITECTURES, strict=False):
    call = [nvcc, "-std=c++17", "-c", "-o", "/dev/null"]
    for number in architectures:
        call += ["-gencode", f"arch=compute_{number},code=sm_{number}"]
    call += ["-Werror", "all-warnings"] if strict else []
    return subprocess.run(call + flags + [source], capture_output=True, text=True, check=False)


def main(nvcc, original, generated, flags):
    if not nvcc:
        print("skipped: there is no nvcc on this machine")
        return SKIPPED
    if compile_file(nvcc, generated, flags, strict=True).returncode == 0:
        print(f"{generated}: no warning for {ARCHITECTURES}")
        return 0
    usable = [number for number in ARCHITECTURES if compile_file(nvcc, original, flags, [number]).returncode == 0]
    if not usable:
        print(compile_file(nvcc, original, flags, ARCHITECTURES[-1:]).stderr)
        print(f"nvcc does not take {original} itself")
        return 1
    strict = compile_file(nvcc, original, flags, usable, strict=True).returncode == 0
    result = compile_file(nvcc, generated, flags, usable, strict)
    print(result.stdout + result.stderr)
    done = "taken" if result.returncode == 0 else "NOT taken"
    print(f"{generated}: {done} for {usable}, warnings {'are errors' if strict else 'as in the original'}")
    return 1 if result.returncode else 0


if __name__ == "__main__":
    split = sys.argv.index("--")
    sys.exit(main(*sys.argv[1:split], sys.argv[split + 1:]))
