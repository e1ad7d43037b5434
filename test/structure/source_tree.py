"""Finding and reading the files of the project, for the tests of its structure."""

import os
import re
import subprocess

SKIPPED = {".git", ".cache", "__pycache__", "Output", "compile_commands.json"}


def files(root, folders=("",), suffixes=None):
    """Paths below root, relative to it and sorted; build folders are left out."""
    found = []
    for folder in folders:
        for place, subfolders, names in os.walk(os.path.join(root, folder)):
            subfolders[:] = [s for s in subfolders if s not in SKIPPED and not is_build_folder(root, place, s)]
            for name in names:
                if name not in SKIPPED and (suffixes is None or os.path.splitext(name)[1] in suffixes):
                    found.append(os.path.relpath(os.path.join(place, name), root))
    return sorted(set(found))


def is_build_folder(root, place, name):
    return os.path.samefile(root, place) and name.startswith("build")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def formatted(root, path, clang_format):
    """The text of a source file in the project's format, so that long lines do not hide length."""
    call = [clang_format, "--style=file", "--assume-filename=" + os.path.join(root, path)]
    return subprocess.run(call, input=read(root, path), capture_output=True, text=True, check=True).stdout


def includes(text):
    """(line number, name, whether in quotes) for each #include line."""
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(2), match.group(1) == '"'


def report(what, problems, checked):
    """Prints the problems and returns the exit status. Having looked at nothing is a problem too."""
    if not checked:
        problems = ["nothing to check was found"]
    for problem in problems:
        print(problem)
    print(f"{what}: {checked} checked, {len(problems)} wrong")
    return 1 if problems else 0
