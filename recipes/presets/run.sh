#!/usr/bin/env bash
# Every preset whose size suits 29,000 sentences, on Multi30k English to German: a row for each kind of network, the score
# against sentence length as a figure, and language models of the German side by their perplexity.
#
#   recipes/presets/run.sh [PRESET...] [-- heed train options]
#
# PRESET picks rows (see `rows` below); without one all are trained, one after the other, and then the language models.
# Options behind -- go to every training, such as --train.max-steps 600 for a try, which leaves the language models out.
# Each training takes one thread; JOBS=2 makes two of the rows at once. Everything is made in runs/presets, with options in
# runs/presets/tries/OPTIONS; a preset that is complete is not trained again, one that was cut off goes on. HEED_DATA=DIR takes
# the corpus from there (recipes/multi30k/prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

rows='
transformer-tiny --preset transformer-tiny
conv --preset conv
rnn-bahdanau --preset rnn-bahdanau
rnn-luong --preset rnn-luong
rnn-memory --preset rnn-memory
rnn-gnmt --preset rnn-gnmt
rnn-sutskever --preset rnn-sutskever
'
language_models='lm-lstm lm-transformer'
seeds=1
runs=runs/presets results=recipes/presets/results
settings=(--config recipes/presets/presets.toml)
common=("${settings[@]}" --valid.tokenize none)
begin "$@"
use_multi30k

language_model() {  # language_model PRESET: trained on the German side, and how probable the test set's is to it
  local run=$runs/$1
  [ ! -f "$run/test.log" ] || return 0
  "$heed" train "${settings[@]}" --preset "$1" --model "$run/model" --target "$text/$train.$target" \
    --valid-target "$text/$valid.$target"
  "$heed" score --model "$run/model" --target "$text/$test.$target" >"$run/test.scores" 2>"$run/test.part" ||
    { cat "$run/test.part" >&2; return 1; }
  mv "$run/test.part" "$run/test.log"
}

language_model_row() {
  local run=$runs/$1
  echo "| $1 | $(number_in_log "$run" start parameters) | $(number_in_log "$run" finish 'step|update') |" \
    "$(sed -n 's/.*perplexity \([0-9.]*\).*/\1/p' "$run/test.log") | $(processor_minutes "$run") |"
}

compare "${names[@]}"
if all_rows && ! is_try; then
  for name in $language_models; do language_model "$name"; done
  {
    echo '| language model | parameters | steps | test perplexity | processor minutes |'
    echo '|---|---|---|---|---|'
    for name in $language_models; do language_model_row "$name"; done
  } | tee "$runs/language-models.md"
  keep_table "$runs/language-models.md"
fi
