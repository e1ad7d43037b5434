"""No file above 600 lines, no function above 80, counted on formatted text.

usage: sizes.py ROOT CLANG_FORMAT
"""

import re
import sys

import source_tree

FILE_CAP = 600
FUNCTION_CAP = 80
FORMATTED = {".h", ".cpp", ".cuh", ".cu"}
PLAIN = {".def", ".py", ".cmake", ".sh", ".txt", ".in"}

CONTAINER = re.compile(r"^\s*((static|const|constexpr|inline|typedef)\s+)*(namespace|class|struct|union|enum)\b|^\s*extern\s*\"\"\s*$")
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def blank(match):
    """Comments and literals become blanks, with the line breaks kept."""
    text = match.group(0)
    if text[0] == "'" and match.start() and re.match(r"[0-9a-fA-F]", match.string[match.start() - 1]):
        return text  # a digit separator
    quotes = '""' if text[0] in '"R' else ""
    return quotes + "\n" * text.count("\n")


def without_noise(text):
    text = re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "", text)
    text = TOKEN.sub(blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.M)


def kind_of(head):
    """What the brace after `head` opens: a container, a function, or anything else."""
    head = re.sub(r"^\s*template\s*<.*?>\s*(?=\w|\[)", "", head, flags=re.S)
    head = re.sub(r"\[\[.*?\]\]|__attribute__\s*\(\(.*?\)\)|alignas\s*\(.*?\)", "", head, flags=re.S)
    if CONTAINER.match(head):
        return "container"
    return "other" if "(" not in head or head.rstrip().endswith("=") else "function"


def functions(text):
    """(first line, number of lines, head) of each function body outside other functions."""
    text = without_noise(text)
    line, head, head_line, depth = 1, "", None, 0
    opened = None  # (depth, first line, head) of the function or initialiser we are in
    for position, char in enumerate(text):
        line += char == "\n"
        if char == "{":
            depth += 1
            body = position == 0 or text[position - 1] in " \n"
            if opened is None and (body or "(" not in head):
                kind = kind_of(head)
                if kind == "container":
                    head, head_line = "", None
                else:
                    opened = (depth, head_line or line, " ".join(head.split()) if kind == "function" else None)
            elif opened is None:
                opened = (depth, None, None)  # a braced member initialiser: the head goes on behind it
        elif char == "}":
            if opened and opened[0] == depth:
                if opened[2]:
                    yield opened[1], line - opened[1] + 1, opened[2]
                if opened[1] is not None:
                    head, head_line = "", None
                opened = None
            elif opened is None:
                head, head_line = "", None
            depth -= 1
        elif opened is None and char == ";":
            head, head_line = "", None
        elif opened is None:
            if head_line is None and not char.isspace():
                head_line = line
            if head_line is not None:
                head += char
            if re.fullmatch(r"(public|private|protected)\s*:|[A-Z][A-Z0-9_]*\([^()]*\)\n", head):
                head, head_line = "", None
    if depth:
        raise ValueError(f"braces do not match ({depth} left open)")


def main(root, clang_format):
    problems, checked = [], 0
    for path in source_tree.files(root, ("lib", "tool", "include", "runtime"), FORMATTED | PLAIN):
        checked += 1
        is_source = any(path.endswith(suffix) for suffix in FORMATTED)
        text = source_tree.formatted(root, path, clang_format) if is_source else source_tree.read(root, path)
        lines = text.count("\n")
        if lines > FILE_CAP:
            problems.append(f"{path}: {lines} lines, more than {FILE_CAP}: which two things does it do?")
        try:
            for first, length, head in functions(text) if is_source else ():
                if length > FUNCTION_CAP:
                    problems.append(f"{path}:{first}: {length} lines, more than {FUNCTION_CAP}: {head[:80]}")
        except ValueError as error:
            problems.append(f"{path}: {error}")
    return source_tree.report("files against the size caps", problems, checked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
