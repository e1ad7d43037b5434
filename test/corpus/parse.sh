#!/usr/bin/env bash
# Runs gpuad-translate with no request over the .cu files of fetched repositories, and prints how many were parsed,
# refused, and crashed, what was translated, and what was refused by which diagnostic.
#
#   test/corpus/parse.sh LIST [--jobs N] [--every K] [--nvcc] [--log FILE] [--translator PROGRAM]
#
# Each line of LIST is a .cu file, or a folder for all of them below it, and compiler flags. parse.py says the rest.
set -euo pipefail
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/parse.py" "$@"
