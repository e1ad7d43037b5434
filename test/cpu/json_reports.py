"""Runs a program whose reports are JSON and looks at what they hold.

usage: json_reports.py PROGRAM FAULT
"""

import json
import subprocess
import sys

KINDS = {"above": "out-of-bounds", "same-place": "race", "unwritten-global": "uninitialised", "two-barriers": "divergent-barrier",
         "half-at-barrier": "deadlock", "copy-kind": "copy-kind", "leak": "leak"}
IN_DEVICE_CODE = {"above", "same-place", "unwritten-global", "two-barriers"}


def main(program, fault):
    result = subprocess.run([program, fault], capture_output=True, text=True, check=False)
    reports = [json.loads(line) for line in result.stderr.splitlines()]
    print(reports)
    assert result.returncode == 86, result.returncode
    assert reports and reports[0]["kind"] == KINDS[fault] and reports[0]["message"]
    if fault in IN_DEVICE_CODE:
        first = reports[0]
        assert first["file"].endswith("strict.cu") and first["line"] > 0
        assert len(first["block"]) == 3 and len(first["thread"]) == 3 and first["kernel"].startswith("_Z")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
