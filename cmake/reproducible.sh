#!/usr/bin/env bash
# Builds the same commit in two folders, and compares the programs byte by byte: those that need no LibTorch, which are built
# in minutes. Nothing is taken from ccache.
#
#   cmake/reproducible.sh [FOLDER]     FOLDER: for both clones, some 100 MB (default: a new temporary one)
set -euo pipefail
case ${1:-} in -h | --help) exec sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0" ;; esac
cd "$(dirname "$0")/.."
folder=${1:-$(mktemp -d)}
programs=(heed heed-serve)
for name in one another/place; do
  git clone --quiet --shared . "$folder/$name"
  cmake -S "$folder/$name" -B "$folder/$name/build/release" --preset release -DHEED_WITH_TORCH=OFF >"$folder/log" ||
    { cat "$folder/log" >&2; exit 1; }
  CCACHE_DISABLE=1 cmake --build "$folder/$name/build/release" --target heed-program heed-serve >"$folder/log" ||
    { cat "$folder/log" >&2; exit 1; }
done
different=0
for program in "${programs[@]}"; do
  one=$folder/one/build/release/bin/$program another=$folder/another/place/build/release/bin/$program
  if cmp "$one" "$another"; then
    echo "$program: the same $(stat -c %s "$one") bytes, SHA-256 $(sha256sum "$one" | cut -d' ' -f1)"
  else
    different=1
  fi
done
exit $different
