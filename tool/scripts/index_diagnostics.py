#!/usr/bin/env python3
"""Writes docs/diagnostics/README.md, the list of all messages, from lib/support/Diagnostics.def.

usage: index_diagnostics.py [--check]     --check writes nothing and fails when the page is out of date
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = "docs/diagnostics/README.md"
HEAD = """# Diagnostics

A message of gpuad ends with its name, as in `[gpuad-opaque-code]`. The page of that name says what it means and what to write
instead. This list is made by `tool/scripts/index_diagnostics.py`.

| name | severity | message |
|---|---|---|
"""


def declarations(text):
    """(slug, severity, format) of each diagnostic, by slug."""
    pattern = r'^GPUAD_DIAGNOSTIC\(\s*\w+,\s*"([\w-]+)",\s*(\w+),\s*((?:"(?:\\.|[^"\\])*"\s*)+)\)'
    for slug, severity, literals in re.findall(pattern, text, re.M):
        parts = re.findall(r'"((?:\\.|[^"\\])*)"', literals)
        yield slug, severity.lower(), re.sub(r"\\(.)", r"\1", "".join(parts))


def index(text):
    rows = []
    for slug, severity, message in sorted(declarations(text)):
        message = message.replace("|", "\\|").replace("<", "&lt;")
        rows.append(f"| [{slug}]({slug}.md) | {severity} | {message} |\n")
    return HEAD + "".join(rows)


def main(arguments):
    with open(os.path.join(ROOT, "lib/support/Diagnostics.def"), encoding="utf-8") as file:
        wanted = index(file.read())
    path = os.path.join(ROOT, PAGE)
    if arguments == ["--check"]:
        with open(path, encoding="utf-8") as file:
            current = file.read() == wanted
        print(f"{PAGE} is up to date" if current else f"{PAGE} is out of date: run tool/scripts/index_diagnostics.py")
        return 0 if current else 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
