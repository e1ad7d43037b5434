"""A source file includes what it uses of LLVM's algorithms: precompiled headers hide it where one is missing.

usage: includes.py ROOT
"""

import re
import sys

import source_tree

# What is used, and the header that has it. The files that see Clang get these from Clang's own headers.
HEADERS = {
    r"\bllvm::(?:any_of|all_of|none_of|find_if|find|is_contained|erase_if|sort|stable_sort|count_if|enumerate|zip|reverse)\b":
        "llvm/ADT/STLExtras.h",
    r"\bllvm::(?:join|utostr|to_hexString)\b": "llvm/ADT/StringExtras.h",
}
FOLDERS = ("lib/analysis", "lib/config", "lib/emit", "lib/ir", "lib/rules", "lib/support", "lib/transform")


def main(root):
    problems, checked = [], 0
    for path in source_tree.files(root, FOLDERS, {".cpp", ".h"}):
        text = source_tree.read(root, path)
        checked += 1
        for pattern, header in HEADERS.items():
            used = re.search(pattern, text)
            if used and f'#include "{header}"' not in text:
                problems.append(f"{path}: {used.group()} without {header}")
    print("\n".join(problems) or f"{checked} files include what they use")
    return 1 if problems or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
