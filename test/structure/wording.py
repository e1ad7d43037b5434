"""The project names no place of the machine it was written on, and holds no mark of unfinished work.

usage: wording.py ROOT
"""

import re
import sys

import source_tree

# Everywhere: absolute paths of one machine, private addresses, left-over merge marks.
EVERYWHERE = {
    r"/(?:work|tmp|root|home|farm|Users)/[\w.]": "a path of one machine",
    r"\b(?:10\.\d{1,3}|127\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}\b": "an address of one network",
    r"\blocalhost\b": "a host of one network",
    r"^(?:<<<<<<<|>>>>>>>) ": "a merge mark",
}

# In what ships: work that was put off.
SHIPPED = {
    r"\b(?:TODO|FIXME|XXX|HACK)\b": "a mark of unfinished work",
    r"\b(?:not (?:yet )?implemented|unimplemented)\b": "a mark of unfinished work",
}

BINARY = {".png", ".jpg", ".gif", ".pdf", ".bc", ".o", ".a", ".so"}


def main(root):
    problems, checked = [], 0
    for path in source_tree.files(root):
        if any(path.endswith(suffix) for suffix in BINARY) or path == "LICENSE":
            continue
        checked += 1
        patterns = dict(EVERYWHERE)
        if path.split("/")[0] in ("lib", "tool", "include", "runtime"):
            patterns.update(SHIPPED)
        for number, line in enumerate(source_tree.read(root, path).splitlines(), 1):
            for pattern, what in patterns.items():
                match = re.search(pattern, line)
                if match:
                    problems.append(f"{path}:{number}: {what}: {match.group(0)}")
    return source_tree.report("files against the word list", problems, checked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
