#!/usr/bin/env bash
# Installs what gpuad needs to be built and tested on Debian 12, if it is not there. An NVIDIA toolkit is not installed.
set -euo pipefail

packages=(
  ccache clang-22 clang-format-22 cmake g++ libboost-context-dev libclang-22-dev libclang-common-22-dev libclang-rt-22-dev
  libgmock-dev libgtest-dev libyaml-cpp-dev lld-22 llvm-22-dev llvm-22-tools ninja-build python3
)

if ! command -v dpkg-query >/dev/null; then
  echo "This is no Debian system: nothing was installed. The packages that Debian calls by these names are needed:" >&2
  echo "  ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

root=()
if [[ $EUID -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages: ${missing[*]}. Run this as root, or install sudo." >&2
    exit 1
  fi
  root=(sudo)
fi
echo "Installing: ${missing[*]}"
"${root[@]}" apt-get update -q
if [[ -z $(apt-cache madison llvm-22-dev) ]]; then
  echo "LLVM 22 is in none of the package archives that this machine uses. On Debian 12 it comes with the security updates:" >&2
  echo "enable bookworm-security in /etc/apt/sources.list or /etc/apt/sources.list.d, and start again." >&2
  exit 1
fi
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
