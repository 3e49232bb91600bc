#!/usr/bin/env bash
# Builds the fuzz target of the metrics with the address and undefined-behavior sanitizers and runs it.
#
#   tests/fuzz/run.sh [SECONDS]      SECONDS: of libFuzzer (default 60); the inputs it finds are kept in build/fuzz/corpus
#
# Needs clang (CLANG names another) with libFuzzer. With g++ alone (CLANG=none) it runs inputs put together at random.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
clang=${CLANG:-clang++}
mkdir -p build/fuzz/corpus
shopt -s globstar
sources=(lib/heed/metrics/**/*.cpp lib/heed/core/**/*.cpp tests/fuzz/metrics_fuzz.cpp)
libraries=(-lfmt -lsentencepiece -licui18n -licuuc -lz -lcrypto -lpthread -ldl)
options=(-std=c++20 -g -O1 -fno-omit-frame-pointer -Ilib)
if command -v "$clang" >/dev/null; then
  "$clang" "${options[@]}" -fsanitize=fuzzer,address,undefined "${sources[@]}" "${libraries[@]}" -o build/fuzz/metrics_fuzz
  printf 'a b, c.\na b c\n' >build/fuzz/corpus/seed
  build/fuzz/metrics_fuzz -max_total_time="$seconds" -len_control=0 -max_len=2000 -timeout=20 build/fuzz/corpus
else
  g++ "${options[@]}" -fsanitize=address,undefined -fno-sanitize-recover=undefined "${sources[@]}" tests/fuzz/random_inputs.cpp \
    "${libraries[@]}" -o build/fuzz/metrics_random
  build/fuzz/metrics_random $((seconds * 100))
fi
