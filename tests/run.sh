#!/usr/bin/env bash
# Installs what is missing, builds heed and runs all its tests.
#
#   tests/run.sh [--with-peers] [PRESET] [ctest arguments]
#
#   PRESET        dev (default: every warning is an error), release or asan
#   --with-peers  also builds the Python package, and installs what its tests and those against other libraries need
#                 (cmake/bootstrap.sh tells what); without it they are skipped where that is not installed
set -euo pipefail
cd "$(dirname "$0")/.."

peers=()
if [ "${1:-}" = --with-peers ]; then
  peers=(--with-peers)
  shift
fi
preset=${1:-dev}
shift || true
options=(-DHEED_BUILD_TESTS=ON)
# The Python package is built and tested where Python has nanobind; a module for sanitizers would need a Python with them.
if [ "$preset" != asan ] && { [ ${#peers[@]} -gt 0 ] || python3 -m nanobind --cmake_dir >/dev/null 2>&1; }; then
  options+=(-DHEED_BUILD_PYTHON=ON)
fi
cmake/bootstrap.sh "${peers[@]}" "$preset" "${options[@]}"
ctest --preset "$preset" --parallel "$(nproc)" "$@"
