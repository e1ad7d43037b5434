"""Every diagnostic has a page in docs/diagnostics and a case in test/diag; every page has a diagnostic.

usage: diagnostics.py ROOT
"""

import os
import re
import sys

import source_tree

# An id that no input may be able to provoke cannot have a case; it still has a page.
WITHOUT_CASE = {"internal-error"}


def declared(root):
    """{slug: severity} of lib/support/Diagnostics.def, in its order."""
    text = source_tree.read(root, "lib/support/Diagnostics.def")
    return dict(re.findall(r'^GPUAD_DIAGNOSTIC\(\s*\w+,\s*"([\w-]+)",\s*(\w+),', text, re.M))


def pages(root):
    names = source_tree.files(root, ("docs/diagnostics",), {".md"})
    return {os.path.basename(name)[:-3]: source_tree.read(root, name) for name in names if "README" not in name}


def page_problem(slug, text):
    """A page says what the message means and shows what to write instead."""
    if text is None:
        return f"docs/diagnostics/{slug}.md is missing"
    if not text.startswith(f"# {slug}\n"):
        return f"docs/diagnostics/{slug}.md does not start with '# {slug}'"
    if len(text.split()) < 30:
        return f"docs/diagnostics/{slug}.md says next to nothing"
    return None


def main(root):
    slugs, texts = declared(root), pages(root)
    cases = "\n".join(source_tree.read(root, path) for path in source_tree.files(root, ("test/diag",)))
    problems = [f"docs/diagnostics/{page}.md: there is no such diagnostic" for page in texts if page not in slugs]
    if list(slugs) != sorted(slugs):
        problems.append("lib/support/Diagnostics.def is not sorted by slug")
    for slug in slugs:
        problem = page_problem(slug, texts.get(slug))
        if problem:
            problems.append(problem)
        if slug not in WITHOUT_CASE and f"[gpuad-{slug}]" not in cases:
            problems.append(f"no case in test/diag expects [gpuad-{slug}]")
    return source_tree.report("diagnostics with page and case", problems, len(slugs))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
