#!/usr/bin/env bash
# Installs what is missing, builds gpuad, differentiates an example, and checks the gradient on the CPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf '\n== %s\n' "$*"; }

tool/scripts/setup.sh
say "Building gpuad in build/release, installing it in build/try/gpuad"
cmake --preset release -DGPUAD_BUILD_TESTS=OFF >/dev/null
cmake --build build/release
cmake --install build/release --prefix "$PWD/build/try/gpuad" >/dev/null
bin=build/try/gpuad/bin
if [[ ! -x $bin/gpuad-cpucc ]]; then
  echo "No NVIDIA toolkit was found (its headers are needed): set CUDA_PATH to its folder and start again." >&2
  exit 1
fi
example=docs/examples/saxpy

say "Differentiating $example/saxpy.cu"
command=("$bin/gpuad-translate" "--adjoint=saxpy(y)/(a,x)" "--tangent=saxpy(y)/(a,x)" "$example/saxpy.cu" -o build/try/saxpy_grad.cu)
echo "${command[*]}"
"${command[@]}"

say "The derivatives that it wrote"
sed -n '/^\/\/ ---- derivatives/,$p' build/try/saxpy_grad.cu

say "Checking the gradient on the CPU"
"$bin/gpuad-cpucc" "$example/on_cpu.cu" -I build/try -o build/try/saxpy
build/try/saxpy
say "The generated file is build/try/saxpy_grad.cu"
