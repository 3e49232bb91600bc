#!/usr/bin/env bash
# Installs what is missing, builds heed and runs all its tests.
#
#   tests/run.sh [PRESET] [ctest arguments]     PRESET: dev (default: every warning is an error), release or asan
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-dev}
shift || true
options=(-DHEED_BUILD_TESTS=ON)
# Where Python has nanobind, the Python package is built and tested too.
[ "$preset" = asan ] || ! python3 -m nanobind --cmake_dir >/dev/null 2>&1 || options+=(-DHEED_BUILD_PYTHON=ON)
cmake/bootstrap.sh "$preset" "${options[@]}"
ctest --preset "$preset" --parallel "$(nproc)" "$@"
