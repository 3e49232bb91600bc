#!/usr/bin/env bash
# operations.sh HEED OUT [tiny|base|bahdanau|luong] [heed train options]: where the time of an update goes (tiny by default).
#
# Samples a training with `perf record` for DURATION seconds (default 20) once it is under way, and writes the operations with the
# largest shares to OUT/operations.MODEL.md and the samples by function to OUT/operations.MODEL.txt. Needs Linux's perf
# and the text that train_speed.py prepares (PEERS_DIR).
. "$(dirname "$0")/peers/common.sh"
[ $# -ge 2 ] || { echo "usage: operations.sh HEED OUT [MODEL] [heed train options]" >&2; exit 2; }
heed=$1 out=$2 model=${3:-tiny}
shift $(($# < 3 ? $# : 3))
folder=$(mktemp -d)
mkdir -p "$out"
"$heed" train --model "$folder/model" --config "$here/../heed/common.toml" "$here/../heed/$model.toml" \
  --text.source-tokenizer "$data/vocabulary.tokens" --source "$data/train.pieces.en" --target "$data/train.pieces.de" \
  --valid-source "$data/small.pieces.en" --valid-target "$data/small.pieces.de" --threads "$THREADS" --log.every 4 \
  "$@" >"$folder/log" 2>&1 &
training=$!
trap 'kill "$training" 2>/dev/null || true; wait "$training" || true; rm -rf "$folder"' EXIT

until grep -qs '"type":"train"' "$folder/model/metrics.jsonl"; do
  kill -0 "$training" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 0.2
done
perf record --quiet --freq 499 --pid "$training" --output "$folder/samples" -- sleep "${DURATION:-20}"
perf report --input "$folder/samples" --stdio --no-children --show-nr-samples --sort dso,symbol --field-separator '|' \
  2>/dev/null >"$out/operations.$model.txt"
python3 "$here/../operations.py" "$out/operations.$model.txt" | tee "$out/operations.$model.md"
