"""Makes a random program that fails as small as it gets, and prints it.

usage: reduce.py KIND BIN_FOLDER SEED [--include DIR...] [--nvcc NVCC] [--last N]

A smaller program counts when it fails in the same way. With --last, SEED to N are tried one by one first, and the first that fails is
taken.
"""

import argparse
import os
import re
import sys
import tempfile

import run


def way(outcome):
    """How it fails, without numbers and names."""
    if not outcome.failures:
        return None
    told = next(iter(outcome.failures.values()))
    assertion = re.search(r"Assertion `.*?' failed", told)
    told = assertion.group(0) if assertion else re.sub(r"stack trace.*|#\d.*", "", told.split("\n")[0])
    return re.sub(r"k\d+\w*|-?\d[\w.+-]*|'[^']*'|of parameter.*", "", told)[:60]


def failure(settings, kernel):
    """The way in which a kernel fails alone, and what is said; or None."""
    outcome = run.run_file(settings, [kernel], os.path.join(settings.folder, "one"))
    return way(outcome), outcome


def reduce(settings, kernel):
    right, _ = failure(settings, kernel)
    progress = True
    while progress:
        progress = False
        for smaller in kernel.smaller():
            if failure(settings, smaller)[0] == right:
                kernel, progress = smaller, True
                break
    return kernel


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(run.KINDS))
    parser.add_argument("bin")
    parser.add_argument("seed", type=int)
    parser.add_argument("--last", type=int)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--nvcc", default="")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as options.folder:
        settings = run.Settings(options)
        for seed in range(options.seed, (options.last or options.seed) + 1):
            kernel = settings.make(seed)
            kind, outcome = failure(settings, kernel)
            if kind is None:
                continue
            print(f"// seed {seed}: {next(iter(outcome.failures.values()))}\n")
            kernel = reduce(settings, kernel)
            print(re.sub(r"\breal\b", kernel.real, kernel.text()))
            print(f"// {next(iter(failure(settings, kernel)[1].failures.values()))}")
            return 1
    print("no failure")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
