#!/usr/bin/env python3
"""Prints the ten slowest tests of a ctest run, what was skipped and why, what failed, and the totals as the last line.

usage: summarize.py TESTS.xml       ends with 1 when a test failed, or when there are no results
"""

import sys
import xml.etree.ElementTree

# How ctest writes down a test that decided for itself to be skipped. Anything else that was not run is a failure.
BY_ITSELF = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION")


def outcome(case):
    """passed, skipped or failed, and the reason."""
    status = case.get("status")
    if status == "run":
        return "passed", ""
    skipped = case.find("skipped")
    message = skipped.get("message", "") if skipped is not None else status
    if any(word in message for word in BY_ITSELF):
        output = case.findtext("system-out", "").strip()
        return "skipped", output.splitlines()[-1] if output else message
    return "failed", message


def main(path):
    try:
        cases = list(xml.etree.ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print(f"no test results: {error}")
        cases = []
    outcomes = {case.get("name"): outcome(case) for case in cases}
    print("The ten slowest tests:")
    for case in sorted(cases, key=lambda case: -float(case.get("time", 0)))[:10]:
        print(f"  {float(case.get('time', 0)):8.2f} s  {case.get('name')}")
    counts = {}
    for kind in ("passed", "skipped", "failed"):
        named = {name: reason for name, (result, reason) in outcomes.items() if result == kind}
        counts[kind] = len(named)
        if kind != "passed" and named:
            print(f"{kind.capitalize()}:")
            for name, reason in named.items():
                print(f"  {name}  {reason}")
    failed = counts["failed"] if cases else 1
    print(f"{counts['passed']} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
