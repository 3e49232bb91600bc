#!/usr/bin/env bash
# Installs what is missing, builds heed and runs all its tests.
#
#   tests/run.sh [PRESET] [ctest arguments]     PRESET: dev (default: every warning is an error), release or asan
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-dev}
shift || true
cmake/bootstrap.sh "$preset" -DHEED_BUILD_TESTS=ON
ctest --preset "$preset" --parallel "$(nproc)" "$@"
