"""Runs a command and compares how it ends and what it says.

usage: run_expect.py STATUS PATTERN... -- COMMAND...

STATUS is a number, "fail" for any but 0, or "any". Each PATTERN is a regular expression that the output must contain; with "!" in front it must not.
"""

import re
import subprocess
import sys


def main(status, patterns, command):
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    output = result.stdout + result.stderr
    wrong = []
    if status == "fail":
        if result.returncode == 0:
            wrong.append("it ended with 0")
    elif status != "any" and result.returncode != int(status):
        wrong.append(f"it ended with {result.returncode}, not {status}")
    for pattern in patterns:
        forbidden = pattern.startswith("!")
        if bool(re.search(pattern[1:] if forbidden else pattern, output)) == forbidden:
            wrong.append(("it says " if forbidden else "it does not say ") + pattern)
    print(output)
    for line in wrong:
        print(f"WRONG: {line}")
    return bool(wrong)


if __name__ == "__main__":
    split = sys.argv.index("--")
    sys.exit(main(sys.argv[1], sys.argv[2:split], sys.argv[split + 1:]))
