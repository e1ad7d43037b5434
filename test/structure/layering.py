"""Holds #include lines and the link lists of lib/ to the table in docs/architecture.md.

usage: layering.py ROOT
"""

import os
import re
import sys

import source_tree

PUBLIC = "gpuad/"


class Layer:
    def __init__(self, uses, headers, outside):
        self.uses, self.headers, self.outside = uses, headers, outside


def read_table(root):
    """The dependency table: folder | may use | public headers | from outside."""
    layers = {}
    for line in source_tree.read(root, "docs/architecture.md").splitlines():
        match = re.match(r"\|\s*`([\w/*-]+)`\s*\|([^|]*)\|([^|]*)\|([^|]*)\|", line)
        if match:
            names = [re.findall(r"`([^`]+)`", cell) for cell in match.groups()[1:]]
            layers[match.group(1)] = Layer(*names)
    return layers


def closure(layers, name, seen=()):
    """The folders that `name` sees, directly or through those it may use."""
    result = {name}
    for used in layers[name].uses:
        if used not in seen:
            result |= closure(layers, used, (*seen, name))
    return result


def layer_of(layers, path):
    """The longest row of the table that is a prefix of the path."""
    fitting = [name for name in layers if path.startswith(name + "/")]
    return max(fitting, key=len, default=None)


def include_problem(layers, path, included):
    name = layer_of(layers, path)
    if name is None:
        return "is in a folder that the table of docs/architecture.md does not list"
    layer = layers[name]
    visible = closure(layers, name)
    if ".." in included.split("/"):
        place = os.path.normpath(os.path.join(os.path.dirname(path), included))
        return None if place.startswith(name + "/") else f"leaves its folder with {included}"
    if included.startswith(PUBLIC):
        allowed = [header for folder in visible for header in layers[folder].headers]
        if included not in allowed and not any(a.endswith("/") and included.startswith(a) for a in allowed):
            return f"includes the public header {included}"
        return None
    for prefix in ("clang-tidy/", "clang/", "llvm/", "lld/", "yaml-cpp/", "boost/"):
        if included.startswith(prefix):
            fits = any(included.startswith(outside) for outside in layer.outside)
            return None if fits else f"includes {included}"
    target = "lib/" + included.split("/")[0]
    if target in layers and "/" in included and target != name and target not in layer.uses:
        return f"includes {included}"
    return None


def link_problems(layers, root):
    """DEPENDS of a library may name only folders that the table allows."""
    for name, layer in layers.items():
        path = f"{name}/CMakeLists.txt"
        try:
            text = source_tree.read(root, path)
        except FileNotFoundError:
            continue
        for depends in re.findall(r"gpuad_add_library\([^)]*\bDEPENDS\b([^)A-Z]*)", text):
            for folder in depends.split():
                if "lib/" + folder not in layer.uses:
                    yield f"{path}: {name} links lib/{folder}"


def main(root):
    layers = read_table(root)
    if not layers:
        print("docs/architecture.md holds no dependency table")
        return 1
    unknown = [f"docs/architecture.md: {name} uses the unlisted {used}"
               for name, layer in layers.items() for used in layer.uses if used not in layers]
    problems = unknown or list(link_problems(layers, root))
    checked = 0
    for path in source_tree.files(root, ("lib", "include", "tool", "runtime"), {".h", ".cpp", ".def", ".cuh", ".cu"}):
        checked += 1
        for number, included, _ in source_tree.includes(source_tree.read(root, path)):
            problem = None if unknown else include_problem(layers, path, included)
            if problem:
                problems.append(f"{path}:{number}: {problem}, against the table in docs/architecture.md")
    return source_tree.report("files against the dependency table", problems, checked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
