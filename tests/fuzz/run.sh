#!/usr/bin/env bash
# Fuzzes everything that heed reads with libFuzzer and the address and undefined-behavior sanitizers.
#
#   tests/fuzz/run.sh [SECONDS [TARGET...]]     SECONDS: of all targets together (default: 60); default: all targets
#
# Inputs that reach new code are kept in build/fuzz/corpus/TARGET, an input that ends a target in build/fuzz/found. Exits with 1 if
# there is one. Needs Clang with libFuzzer (Debian: clang and libclang-rt-dev; CLANG names another compiler). Builds the part of
# heed that needs no LibTorch. The targets of the other part run without libFuzzer: build the preset asan, then
#   build/asan/bin/heed_fuzz_torch_replay tests/fuzz/seeds --inputs 100000
set -euo pipefail
case ${1:-} in -h | --help) exec sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0" ;; esac
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift || true

find_clang() {
  local name
  for name in ${CLANG:-clang++ clang++-19 clang++-16 clang++-14}; do
    command -v "$name" && return
  done
  echo "run.sh: no Clang found: install it (Debian: clang), or name one by CLANG" >&2
  return 1
}
clang=$(find_clang)
cmake --preset fuzz -DCMAKE_CXX_COMPILER="$clang" >build/fuzz.log || { cat build/fuzz.log >&2; exit 1; }
cmake --build --preset fuzz

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  mapfile -t targets < <(sed -n 's/^ *{"\([a-z0-9-]*\)", .*},$/\1/p' tests/fuzz/targets/targets.cpp)
fi
share=$((seconds / ${#targets[@]}))
[ "$share" -gt 0 ] || share=1
mkdir -p build/fuzz/found
found=0
export HEED_SOURCE_DIR=$PWD
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm  # inputs become files there
for target in "${targets[@]}"; do
  mkdir -p "build/fuzz/corpus/$target"
  log=build/fuzz/$target.log
  if HEED_FUZZ_TARGET=$target build/fuzz/bin/heed_fuzz -max_total_time="$share" -max_len=65536 -timeout=20 \
    -malloc_limit_mb=512 -rss_limit_mb=2048 -artifact_prefix="build/fuzz/found/$target-" -print_final_stats=1 \
    "build/fuzz/corpus/$target" "tests/fuzz/seeds/$target" >"$log" 2>&1; then
    printf '%-20s %s inputs, %s edges\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: //p' "$log")" \
      "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)"
  else
    found=1
    printf '%-20s FOUND: %s\n' "$target" "$(grep -m 1 -E 'ERROR|runtime error|throws|deadly signal' "$log" || tail -n 1 "$log")"
  fi
done
exit $found
