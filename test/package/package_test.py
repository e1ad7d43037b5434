"""An outside project finds the installed tree, gets derivatives, and rebuilds exactly when something changed.

usage: package_test.py CMAKE BUILD_FOLDER WORK_FOLDER NVCC
"""

import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77


def call(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(" ".join(command) + "\n" + result.stdout + result.stderr)
        sys.exit(1)
    return result.stdout + result.stderr


def expect(condition, what):
    if not condition:
        print("wrong: " + what)
        sys.exit(1)


def change(path, old, new):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    expect(old in text, f"{path} holds no '{old}'")
    time.sleep(0.05)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


def main(cmake, build, work, nvcc):
    if not nvcc:
        print("skipped: there is no nvcc on this machine")
        return SKIPPED
    build, work = os.path.abspath(build), os.path.abspath(work)
    shutil.rmtree(work, ignore_errors=True)
    prefix, project, products = (os.path.join(work, name) for name in ("prefix", "outside project", "outside build"))
    call(cmake, "--install", build, "--prefix", os.path.join(work, "first"))
    os.rename(os.path.join(work, "first"), prefix)  # an installed tree may be moved
    shutil.copytree(os.path.join(HERE, "outside"), project)
    call(cmake, "-S", project, "-B", products, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix, "-DCMAKE_CUDA_COMPILER=" + nvcc,
         "-DCMAKE_CUDA_ARCHITECTURES=90")

    def rebuild():
        return call(cmake, "--build", products)

    expect("Differentiating flow.cu" in rebuild(), "the first build translates")
    output = os.path.join(products, "gpuad/flow/flow_grad.cu")
    with open(output, encoding="utf-8") as file:
        expect("scaled_adjoint" in file.read(), "the generated file holds the derivative")
    with open(os.path.join(products, "build.ninja"), encoding="utf-8") as file:
        expect(not re.search(r"CUDA_COMPILER.*kernels/flow\.cu", file.read()), "the original is not compiled any more")
    expect("no work to do" in rebuild(), "a second build has nothing to do")

    change(os.path.join(project, "kernels/beside.cuh"), "blockIdx.x * blockDim.x", "blockDim.x * blockIdx.x")
    expect("Differentiating" in rebuild(), "a changed header is noticed")
    change(os.path.join(project, "CMakeLists.txt"), "SCALE=3", "SCALE=4")
    expect("Differentiating" in rebuild(), "a changed definition is noticed")
    change(os.path.join(project, "plain.cu"), "= 0", "= 1")
    expect("Differentiating" not in rebuild(), "another source does not matter")
    expect("no work to do" in rebuild(), "the last build has nothing to do")

    change(os.path.join(project, "CMakeLists.txt"), 'ADJOINT "scaled(y)/(x)"', 'ADJOINT "missing(y)/(x)"')
    failed = subprocess.run([cmake, "--build", products], capture_output=True, text=True, check=False)
    expect(failed.returncode != 0 and "missing" in failed.stdout + failed.stderr, "a wrong request stops the build")
    print("the installed tree serves an outside project")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
