#!/usr/bin/env bash
# operations.sh HEED OUT [tiny|base|bahdanau|luong] [heed train options]: where the time of an update goes (tiny by default).
#
# Samples a training with `perf record` for DURATION seconds (default 20) once it is under way, and writes the operations with the
# largest shares to OUT/operations.MODEL.md, the samples by function to OUT/operations.MODEL.txt, and the median of the target
# tokens a second meanwhile, told every LOG_EVERY updates (default 4), to OUT/operations.MODEL.speed. Needs Linux's perf and
# the text that train_speed.py prepares (PEERS_DIR).
. "$(dirname "$0")/peers/common.sh"
[ $# -ge 2 ] || { echo "usage: operations.sh HEED OUT [MODEL] [heed train options]" >&2; exit 2; }
heed=$1 out=$2 model=${3:-tiny}
shift $(($# < 3 ? $# : 3))
folder=$(mktemp -d)
mkdir -p "$out"
"$heed" train --model "$folder/model" --config "$here/../heed/common.toml" "$here/../heed/$model.toml" \
  --text.source-tokenizer "$data/vocabulary.tokens" --source "$data/train.pieces.en" --target "$data/train.pieces.de" \
  --valid-source "$data/small.pieces.en" --valid-target "$data/small.pieces.de" --threads "$THREADS" \
  --log.every "${LOG_EVERY:-4}" \
  "$@" >"$folder/log" 2>&1 &
training=$!
trap 'kill "$training" 2>/dev/null || true; wait "$training" || true; rm -rf "$folder"' EXIT

until grep -qs '"type":"train"' "$folder/model/metrics.jsonl"; do
  kill -0 "$training" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 0.2
done
before=$(wc -l <"$folder/model/metrics.jsonl")
perf record --quiet --freq 499 --pid "$training" --output "$folder/samples" -- sleep "${DURATION:-20}"
perf report --input "$folder/samples" --stdio --no-children --show-nr-samples --sort dso,symbol --field-separator '|' \
  2>/dev/null >"$out/operations.$model.txt"
tail -n +$((before + 1)) "$folder/model/metrics.jsonl" | python3 -c '
import json, statistics, sys
speeds = [event["target_tokens_per_second"] for event in map(json.loads, sys.stdin) if event["type"] == "train"]
print(round(statistics.median(speeds)) if speeds else "none told")' >"$out/operations.$model.speed"
python3 "$here/../operations.py" "$out/operations.$model.txt" | tee "$out/operations.$model.md"
