"""Times the programs of cpu_runner.cu, plain and strict, in turns, and prints ratios, so that the machine does not matter.

usage: cpu_runner.py PLAIN STRICT [--runs N] [--speed]

Ends with 1 where strict mode takes more than 10 times as long, or a strict launch 50 microseconds. With --speed also where the
saxpy kernel takes more than 1.5 times as long as a plain loop and runs less than 100 million threads a second.
"""

import argparse
import subprocess
import sys

STRICT_LIMIT = 10
LAUNCH_LIMIT = 50e-6
LOOP_LIMIT, THREADS_LIMIT = 1.5, 100e6


def measure(program, best):
    """Seconds by name; the least of all runs is kept."""
    output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        name, seconds, count = line.rsplit(None, 2)
        best[name] = min(best.get(name, (1e9, 0))[0], float(seconds)), float(count)


def main(arguments):
    plain, strict, wrong = {}, {}, []
    for _ in range(arguments.runs):
        measure(arguments.plain, plain)
        measure(arguments.strict, strict)
    print(f"{'':42}{'plain':>12}{'strict':>12}{'ratio':>8}")
    for name, (seconds, count) in plain.items():
        slow = strict[name][0]
        print(f"{name:42}{seconds / count * 1e9:9.2f} ns{slow / count * 1e9:9.2f} ns{slow / seconds:8.2f}")
        if slow > STRICT_LIMIT * seconds:
            wrong.append(f"{name}: strict mode takes more than {STRICT_LIMIT} times as long")
    seconds, count = plain["saxpy, a thread"]
    loop = seconds / plain["saxpy as a plain loop, an element"][0]
    print(f"saxpy: {loop:.2f} times a plain loop, {count / seconds * 1e-6:.0f} million threads a second")
    launch = strict["launch"][0] / strict["launch"][1]
    if launch > LAUNCH_LIMIT:
        wrong.append(f"a strict launch takes {launch * 1e6:.1f} us")
    if arguments.speed and loop > LOOP_LIMIT and count / seconds < THREADS_LIMIT:
        wrong.append("the saxpy kernel is too slow")
    for line in wrong:
        print("WRONG:", line)
    return bool(wrong)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("plain")
    parser.add_argument("strict")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--speed", action="store_true")
    sys.exit(main(parser.parse_args()))
