#!/usr/bin/env bash
# run.sh FOLDER [PAIRS...]: generates corpora of so many pairs (default: 2,000,000 and 20,000,000) in FOLDER, encodes each and
# reads it, and prints seconds and peak memory of each step. HEED_PRESET names the build (default: dev).
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:?a folder for the corpora}
shift
bin=build/${HEED_PRESET:-dev}/bin
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

if [ ! -e "$folder/model/source.spm" ] && [ ! -e "$folder/model/joint.spm" ]; then
  "$bin/heed-large-corpus" generate "$folder/sample" 100000
  head -n 100 "$folder/sample/source" >"$folder/sample/valid.source"
  head -n 100 "$folder/sample/target" >"$folder/sample/valid.target"
  "$bin/heed" train --preset transformer-tiny --model "$folder/model" --train.max-steps 1 --train.average none \
    --source "$folder/sample/source" --target "$folder/sample/target" --valid.translate none --valid.metric loss \
    --valid-source "$folder/sample/valid.source" --valid-target "$folder/sample/valid.target"
fi
for pairs in "${@:-2000000 20000000}"; do
  for count in $pairs; do
    here=$folder/$count
    echo "$count pairs"
    [ -e "$here/target" ] || "$bin/heed-large-corpus" generate "$here" "$count"
    cp "$folder"/model/*.spm "$here/"
    du -cb "$here/source" "$here/target" | awk '/total/ { printf "%.0f MB of text\n", $1 / 1e6 }'
    rm -f "$here"/corpus*
    "$bin/heed-large-corpus" encode "$here" 2>/dev/null
    "$bin/heed-large-corpus" open "$here" 2>/dev/null
    "$bin/heed-large-corpus" stream "$here" 30
    paste "$here/source" "$here/target" | "$bin/heed-large-corpus" streamed "$here" - 100000
  done
done
