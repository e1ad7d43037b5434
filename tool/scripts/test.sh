#!/usr/bin/env bash
# Installs what is missing, builds gpuad, and runs all tests. Results also go to build/dev/tests.xml.
# Arguments go to cmake.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tool/scripts/setup.sh
command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]] ||
  echo "There is no NVIDIA toolkit (nvcc): the tests that need one will be skipped."
cmake --preset dev "$@"
cmake --build build/dev
ctest --preset dev -j2 --timeout 400 --output-junit "$PWD/build/dev/tests.xml"
