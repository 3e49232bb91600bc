#!/usr/bin/env bash
# A small Transformer trained on the first half of Multi30k, English to German, goes on with the second half: all of it,
# without its encoder, or with LoRA; beside it one that is trained on the second half from the beginning, for as many
# steps. Prints one table.
#
#   recipes/fine-tuning/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below; all but scratch need `first`, which is trained where it is missing); without one all
# are trained, one after the other. Options behind -- go to every training, such as --train.max-steps 20 for a try. JOBS=2
# trains two systems at once. Everything is made in runs/fine-tuning, with options in runs/fine-tuning/tries/OPTIONS; a row
# that is complete is not trained again, one that was cut off goes on. HEED_DATA=DIR takes the corpus from there
# (recipes/multi30k/prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

# name, then its options. Learning rates are the best of those tried, by validation BLEU.
learned='--text.type unigram --text.vocab-size 4000 --text.joint true'
rows="
first $learned --train.max-steps 1500 --train.schedule.learning-rate 0.005 --train.schedule.warmup 200 --valid.every 250
scratch $learned --train.max-steps 400 --train.schedule.learning-rate 0.005 --train.schedule.warmup 100
full --train.max-steps 400 --train.schedule.learning-rate 0.001 --train.schedule.warmup 50
frozen-encoder --train.freeze encoder --train.max-steps 400 --train.schedule.learning-rate 0.001 --train.schedule.warmup 50
lora --train.adapter.type lora --train.max-steps 400 --train.schedule.learning-rate 0.003 --train.schedule.warmup 50
lora-query-value --train.adapter.type lora --train.adapter.target-modules query value --train.max-steps 400 --train.schedule.learning-rate 0.003 --train.schedule.warmup 50
"
runs=runs/fine-tuning results=recipes/fine-tuning/results
common=(--config recipes/fine-tuning/common.toml)
begin "$@"
use_multi30k

halves=$runs/halves
mkdir -p "$halves"
for side in "$source" "$target"; do
  head -n 14500 "$text/train.$side" >"$halves/first.$side"
  tail -n 14500 "$text/train.$side" >"$halves/second.$side"
  cp "$text/$valid.$side" "$text/$test.$side" "$halves/"
done
text=$halves

train=first system first "$runs/first"
train=second
for name in "${names[@]}"; do
  case $name in
    first) ;;
    scratch) system_beside "$name" "$runs/$name" ;;
    *) system_beside "$name" "$runs/$name" --from "$runs/first/model" ;;
  esac
done
systems_complete "${names[@]/#/$runs/}"

# Of all reports: what else the machine did is in the others.
fastest() { sed -n 's/.*"target_tokens_per_second":\([0-9]*\).*/\1/p' "$1/model/metrics.jsonl" | sort -n | tail -1; }
row() {  # row NAME
  local run=$runs/$1 tokens seconds
  tokens=$(number_in_log "$run" finish tokens)
  seconds=$(number_in_log "$run" finish processor_seconds)
  printf '| %s | %s | %s | %s | %s | %s |\n' "$1" "$(number_in_log "$run" start parameters)" \
    "$(score "$run" "$valid")" "$(score "$run" "$test")" \
    "$(fastest "$run")" "$(awk "BEGIN { print int($tokens / $seconds) }")"
}
{
  echo '| system | parameters trained | validation BLEU | test BLEU | target tokens/s, fastest report | per second of processor time, validations included |'
  echo '|---|---|---|---|---|---|'
  for name in "${names[@]}"; do row "$name"; done
} | tee "$runs/table.md"
keep_table "$runs/table.md"
