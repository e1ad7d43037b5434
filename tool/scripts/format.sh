#!/usr/bin/env bash
# Formats all sources of the project; with --check only names those that are not formatted, and fails when there are any.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mode=(-i)
[[ ${1-} == --check ]] && mode=(--dry-run -Werror)
find include lib runtime test tool -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cuh' \) -print0 |
  xargs -0 "$(command -v clang-format-22 || command -v clang-format)" --style=file "${mode[@]}"
