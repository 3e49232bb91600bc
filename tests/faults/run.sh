#!/usr/bin/env bash
# All faults, many kills and commands at the same time (tests/faults/README.md), and the tables of their figures:
#
#   tests/faults/run.sh [FOLDER]     # default: runs/faults; an hour or two on two cores
#
# POINTS=N tries N faults of each command instead of all, ROUNDS=N kills each training N times (default: 60). HEED_PRESET names
# the build (default: release).
set -euo pipefail
case ${1:-} in -h | --help) exec sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0" ;; esac
cd "$(dirname "$0")/../.."
preset=${HEED_PRESET:-release}
cmake/bootstrap.sh "$preset"
out=${1:-runs/faults}
mkdir -p "$out"
cc -O1 -shared -fPIC -o "$out/fault_layer.so" tests/faults/fault_layer.c -ldl -lpthread
python3 -B tests/faults/faults.py "build/$preset/bin/heed" "$out/fault_layer.so" --jobs 2 ${POINTS:+--points "$POINTS"} --table "$out/faults.md"
python3 -B tests/faults/kills.py "build/$preset/bin/heed" --rounds "${ROUNDS:-60}" --table "$out/kills.md"
python3 -B tests/faults/together.py "build/$preset/bin/heed" --rounds "${ROUNDS:-60}" --table "$out/together.md"
