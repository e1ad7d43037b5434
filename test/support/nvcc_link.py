"""nvcc compiles and links a program. Ends with 77 (skipped) when there is no nvcc.

usage: nvcc_link.py NVCC OUTPUT FLAG... FILE...
"""

import subprocess
import sys


def main(nvcc, output, arguments):
    if not nvcc:
        print("skipped: there is no nvcc on this machine")
        return 77
    result = subprocess.run([nvcc, "-std=c++17", "-arch=sm_80", "-o", output, *arguments], capture_output=True, text=True, check=False)
    print(result.stdout + result.stderr)
    return result.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
