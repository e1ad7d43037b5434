"""Translates files of unusual form and checks that the output is the input with insertions.

usage: insertions_only.py GPUAD_TRANSLATE FLAG...
"""

import os
import subprocess
import sys
import tempfile

KERNEL = b"__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }"
INPUTS = {
    "plain": b"// top\n" + KERNEL + b"\nint after;\n",
    "no_line_end": b"// top\n" + KERNEL,
    "windows": b"// top\r\n" + KERNEL + b"\r\nint after;\r\n",
    "byte_order_mark": b"\xef\xbb\xbf" + KERNEL + b"\n",
    "backslash": KERNEL + b"\n// end \\",
    "one_line": b"namespace a { " + KERNEL + b" int after; }\n",
    "linkage": b'extern "C" {\n' + KERNEL + b"\n}\n",
    "latin1": b"// caf\xe9\n" + KERNEL + b"\n",
}


def is_subsequence_of_blocks(original, output):
    """Whether `original` remains when lines are taken out of `output`, at ends of lines or between tokens."""
    at = 0
    for byte in output:
        if at < len(original) and byte == original[at]:
            at += 1
    return at == len(original)


def main(tool, flags):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in INPUTS.items():
            source, output = os.path.join(folder, name + ".cu"), os.path.join(folder, name + "_grad.cu")
            with open(source, "wb") as file:
                file.write(text)
            function = "a::scale" if name == "one_line" else "scale"
            run = subprocess.run([tool, source, "-o", output, f"--adjoint={function}(y)/(x)", "--", *flags], check=False)
            with open(output, "rb") as file:
                result = file.read()
            windows = name != "windows" or result.count(b"\n") == result.count(b"\r\n")
            starts = name != "byte_order_mark" or result.startswith(b"\xef\xbb\xbf#include")
            if run.returncode or not is_subsequence_of_blocks(text, result) or not windows or not starts:
                print(f"{name}: not the input with insertions:\n{result.decode('latin1')}")
                wrong += 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
