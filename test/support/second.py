"""The tangent of each adjoint of a file agrees with differences of that adjoint.

usage: second.py BIN_FOLDER SOURCE PROGRAM FOLDER RUN... -- REQUEST... -- KERNEL=REASON... -- FLAG...

SOURCE is differentiated into FOLDER, and each adjoint of a kernel in that once more, along what is active in it. PROGRAM, which includes
the generated file by its name, is compiled with GPUAD_AGAIN for the CPU and run. A KERNEL that is named is left out, for the REASON; and so
is one whose adjoint overwrites memory and puts it back, which has no tangent.
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


def adjoints_of(generated):
    """Of the adjoints in the generated part: kernel -> head of the tangent of its adjoint, and the kernels that cannot have one."""
    section = generated[generated.index("// ---- derivatives ---"):]
    pattern = re.compile(r"^namespace ([\w:]+) \{$|^\}  // namespace|^(template <.*\n)?__global__ (?:__launch_bounds__\([^)]*\) )?void "
                         r"(?:__launch_bounds__\([^)]*\) )?(\w+)_adjoint\(([^{;]*)\) \{", re.M)
    space, found, without = [], {}, {}
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
            end = section.index("\n}\n", match.end())
            if active and re.search(r"gpuad::undo_(values|log)\b", section[match.end():end]):
                print(f"{prefix}{match[3]} is left out: its adjoint puts memory back")
                without[prefix + match[3]] = True
            elif active:
                found[prefix + match[3]] = f"{prefix}{match[3]}_adjoint({','.join(shadows)})/({','.join(active + shadows)})"
    return found, list(without)


def main(bin_folder, source, program, folder, runs, requests, without, flags):
    os.makedirs(folder, exist_ok=True)
    stem = os.path.splitext(os.path.basename(source))[0]
    first, again, names = (os.path.join(folder, name) for name in (stem + "_first.cu", stem + "_grad.cu", "without_second.h"))
    translator = os.path.join(bin_folder, "gpuad-translate")
    call(translator, *requests, source, "-o", first, "--", *flags)
    with open(first, encoding="utf-8") as file:
        found, puts_back = adjoints_of(file.read())
    left_out = dict(one.split("=", 1) for one in without)
    unknown = [name for name in left_out if name not in found]
    if unknown:
        print("no adjoint to leave out: " + ", ".join(unknown))
        sys.exit(1)
    heads = [f"--tangent={head}" for name, head in found.items() if name not in left_out]
    call(translator, *heads, first, "-o", again, "--", *flags)
    with open(names, "w", encoding="utf-8") as file:
        for name, reason in left_out.items():
            print(f"{name} is left out: {reason}")
        for name in [*left_out, *puts_back]:
            file.write(f"#define GPUAD_WITHOUT_SECOND_{name.split('::')[-1]} ~, nullptr\n")
    call(os.path.join(bin_folder, "gpuad-cpucc"), "--strict", again if program == "-" else program, "-o", os.path.join(folder, "program"),
         "-std=c++17", f'-DGPUAD_AGAIN="{names}"', "-I", folder, *flags)
    for run in runs:
        call(os.path.join(folder, "program"), *([] if run == "-" else shlex.split(run)))


if __name__ == "__main__":
    ends = [i for i, argument in enumerate(sys.argv) if argument == "--"][:3]
    main(*sys.argv[1:5], sys.argv[5:ends[0]], sys.argv[ends[0] + 1:ends[1]], sys.argv[ends[1] + 1:ends[2]], sys.argv[ends[2] + 1:])
