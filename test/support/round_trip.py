"""What the translator prints for the functions it read is the same program: the derivatives of the printed file pass the same checks.

usage: round_trip.py BIN_FOLDER SOURCE PROGRAM FOLDER RUN... -- REQUEST... -- FLAG...

SOURCE is printed to FOLDER by --round-trip, the printed file is differentiated, and PROGRAM, which includes the generated file by its
name, is compiled for the CPU and run. PROGRAM "-" is the generated file itself. A RUN is one string of arguments, "-" for none.
"""

import os
import shlex
import subprocess
import sys


def call(*command):
    result = subprocess.run(command, check=False)
    if result.returncode != 0:
        print(f"{shlex.join(command)} ended with {result.returncode}")
        sys.exit(1)


def main(bin_folder, source, program, folder, runs, requests, flags):
    os.makedirs(folder, exist_ok=True)
    stem = os.path.splitext(os.path.basename(source))[0]
    printed, generated = (os.path.join(folder, stem + suffix) for suffix in (".cu", "_grad.cu"))
    translator = os.path.join(bin_folder, "gpuad-translate")
    call(translator, "--round-trip", source, "-o", printed, "--", *flags)
    with open(source, encoding="utf-8") as before, open(printed, encoding="utf-8") as after:
        if before.read() == after.read():
            print("the printed file is the source itself: nothing was printed")
            sys.exit(1)
    call(translator, *requests, printed, "-o", generated, "--", *flags)
    call(os.path.join(bin_folder, "gpuad-cpucc"), "--strict", generated if program == "-" else program,
         "-o", os.path.join(folder, "program"), "-std=c++17", "-I", folder, *flags)
    for run in runs:
        call(os.path.join(folder, "program"), *([] if run == "-" else shlex.split(run)))


if __name__ == "__main__":
    first = sys.argv.index("--")
    second = sys.argv.index("--", first + 1)
    main(*sys.argv[1:5], sys.argv[5:first], sys.argv[first + 1:second], sys.argv[second + 1:])
