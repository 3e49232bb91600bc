#!/usr/bin/env bash
# Which language is it? English, German, French and Czech told by their characters, on Multi30k: a small Transformer and a
# small recurrent network, and naive Bayes over sequences of characters beside them, on sentences and on single words.
#
#   recipes/language-id/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. Each training takes one thread; JOBS=2 makes two at once. Everything is
# made in runs/language-id, with options in runs/language-id/tries/OPTIONS; a row that is complete is not trained again, one
# that was cut off goes on. HEED_DATA=DIR takes the corpus from there (recipes/multi30k/prepare.sh), HEED_PRESET names the
# build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

gru='--arch.encoder.type rnn --arch.d-model 64 --arch.encoder.hidden 160'
transformer='--arch.encoder.layers 2 --arch.encoder.positions rotary'
rows="
transformer $transformer
transformer-pieces $transformer
gru $gru
gru-pieces $gru
"
runs=runs/language-id results=recipes/language-id/results data=runs/language-id/data
source=text target=language train=train valid=valid test=test writes=predict
common=(--config recipes/language-id/language-id.toml)
begin "$@"
recipes/multi30k/prepare.sh runs/multi30k/data
[ -f "$data/words.language" ] || python3 recipes/language-id/prepare.py runs/multi30k/data/raw "$data"

right() {  # right FILE REFERENCE: how many labels, and what share of them
  "$heed" evaluate --reference "$data/$2.language" --metric accuracy --decimals 2 "$1" |
    sed 's/.*= \([0-9.]*\) (right = \([0-9]*\) .*/\2 (\1%)/'
}

row() {  # row NAME FOLDER FACTS: a line of the table of the predictions in FOLDER
  echo "| $1 | $3 | $(right "$2/test.language" sentences/test) | $(right "$2/seen.language" seen) |" \
    "$(right "$2/words.language" words) |"
}

baseline() {  # baseline KIND LINES: predictions of naive Bayes or of the most frequent language, learned of LINES
  local set folder=runs/language-id/baseline-$1-$2
  mkdir -p "$folder"
  for set in sentences/test seen words; do
    [ -f "$folder/${set#*/}.language" ] && continue
    python3 recipes/language-id/baseline.py "$1" "$data/$2"/train.{text,language} <"$data/$set.text" >"$folder/part"
    mv "$folder/part" "$folder/${set#*/}.language"
  done
}

for name in "${names[@]}"; do
  case $name in *-pieces) text=$data/pieces ;; *) text=$data/sentences ;; esac
  system_beside "$name" "$runs/$name"
done
systems_complete "${names[@]/#/$runs/}"
text=$data
for name in "${names[@]}"; do
  for set in seen words; do write "$runs/$name" "$set"; done
done
baseline most-frequent sentences
for order in 3 5; do
  for lines in sentences pieces; do baseline $order $lines; done
done

{
  echo '| system | parameters | processor minutes | sentences right | known words right | new words right |'
  echo '|---|---|---|---|---|---|'
  row most-frequent runs/language-id/baseline-most-frequent-sentences '|'
  for order in 3 5; do
    row "bayes-$order" "runs/language-id/baseline-$order-sentences" '|'
    row "bayes-$order-pieces" "runs/language-id/baseline-$order-pieces" '|'
  done
  for name in "${names[@]}"; do
    row "$name" "$runs/$name" "$(number_in_log "$runs/$name" start parameters) | $(processor_minutes "$runs/$name")"
  done
} | tee "$runs/table.md"
keep_table "$runs/table.md"
test=words keep_text gru-pieces  # the new words

# Which new words are taken for another language's, and which characters decided, with the last row.
chosen=$runs/${names[-1]}
"$heed" evaluate --reference "$data/words.language" --confusion --figure "$runs/confusion.svg" "$chosen/words.language" |
  tee "$runs/confusion.txt"
"$heed" predict --model "$chosen/model" --format json <recipes/language-id/examples.txt |
  python3 recipes/language-id/picture.py >"$runs/characters.svg"
keep_figures "$runs/confusion.svg" "$runs/characters.svg"
