"""The plain lines of the README build and install gpuad with the system's compiler, and what they install works.

usage: plain_build.py CMAKE SOURCE_FOLDER WORK_FOLDER
"""

import os
import shutil
import subprocess
import sys


def call(*command, environment=None):
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if result.returncode != 0:
        print(" ".join(command) + "\n" + result.stdout[-20000:] + result.stderr)
        sys.exit(1)
    return result.stdout + result.stderr


def main(cmake, source, work):
    prefix, build = os.path.join(work, "prefix"), os.path.join(work, "build")
    shutil.rmtree(prefix, ignore_errors=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX", "CXXFLAGS", "CFLAGS")}
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    call(cmake, "-S", source, "-B", build, "-G", "Ninja", *launcher, environment=environment)
    output = call(cmake, "--build", build, environment=environment)
    call(cmake, "--install", build, "--prefix", prefix, environment=environment)

    warnings = [line for line in output.splitlines() if " warning: " in line]
    if warnings:
        print("\n".join(warnings))
        return 1
    header = os.path.join(prefix, "include/gpuad/runtime.cuh")
    if not os.path.exists(header):
        print(f"{header} was not installed")
        return 1
    result = os.path.join(work, "saxpy_grad.cu")
    call(os.path.join(prefix, "bin/gpuad-translate"), "--adjoint=saxpy(y)/(a,x)",
         os.path.join(source, "docs/examples/saxpy/saxpy.cu"), "-o", result)
    with open(result, encoding="utf-8") as file:
        if "saxpy_adjoint" not in file.read():
            print(f"{result} holds no derivative")
            return 1
    print("the plain build works")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
