#!/usr/bin/env bash
# Capitals and punctuation brought back: a label for each lower-cased word says its case and the mark behind it, on German
# Multi30k. A recurrent network and a Transformer, with a softmax for each word and with a conditional random field; beside
# each word's most frequent label and a trigram language model.
#
#   recipes/restore/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. LANGUAGE=en is a try with another language of the corpus (en, fr, cs).
# Each training takes one thread; JOBS=2 makes two at once. Everything is made in runs/restore, with options in
# runs/restore/tries/OPTIONS; a row that is complete is not trained again, one that was cut off goes on. HEED_DATA=DIR takes
# the corpus from there (recipes/multi30k/prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

gru='--arch.encoder.type rnn --arch.encoder.hidden 192'
transformer='--arch.encoder.positions rotary'
rows="
transformer $transformer
transformer-crf $transformer --arch.head.crf true
gru $gru
gru-crf $gru --arch.head.crf true
"
language=${LANGUAGE:-de}
[[ $language =~ ^(en|de|fr|cs)$ ]] || language=de  # the shell may have another use for LANGUAGE
[ "$language" = de ] || altered=LANGUAGE=$language
runs=runs/restore results=recipes/restore/results text=runs/restore/data/$language
source=words target=labels train=train valid=valid test=test writes=predict
common=(--config recipes/restore/restore.toml)
begin "$@"
recipes/multi30k/prepare.sh runs/multi30k/data

prepare() {  # prepare SPLIT PART: words and labels of a part of Multi30k
  [ ! -f "$text/$2.restored" ] || return 0
  mkdir -p "$text"
  python3 recipes/restore/labels.py take "$text/$2" <"runs/multi30k/data/raw/$1.$language"
}
prepare train train
prepare val valid
prepare test_2016_flickr test

baseline() {  # baseline KIND
  mkdir -p "$runs/$1"
  [ ! -f "$runs/$1/test.labels" ] || return 0
  python3 recipes/restore/baseline.py "$1" "$text"/train.{words,labels} <"$text/test.words" >"$runs/$1/part"
  mv "$runs/$1/part" "$runs/$1/test.labels"
}

number() { sed 's/^[^=]*= *\([0-9.]*\).*/\1/'; }
row() {  # row NAME FACTS
  local run=$runs/$1 compare="$heed evaluate --decimals 2"
  python3 recipes/restore/labels.py restore "$text/test.words" "$run/test.labels" >"$run/test.restored"
  $heed evaluate --reference "$text/test.labels" --confusion "$run/test.labels" >"$run/confusion.txt"
  echo "| $1 | $2 | $($compare --reference "$text/test.labels" --metric accuracy "$run/test.labels" | number) |" \
    "$($compare --reference "$text/test.labels" --metric macro-f1 "$run/test.labels" | number) |" \
    "$($compare --reference "$text/test.restored" --metric wer "$run/test.restored" | number) |" \
    "$(paste -d '\n' "$text/test.restored" "$run/test.restored" |
      awk 'NR % 2 { gold = $0; next } { right += $0 == gold } END { printf "%.1f", 200 * right / NR }') |"
}

column() {  # column NAME: the F1 of each label that the test set has 30 times or more
  awk -F '│' 'NF == 7 && $6 + 0 >= 30 && !/mean/ { printf "%.1f\n", $5 }' "$runs/$1/confusion.txt"
}
labels() { awk -F '│' 'NF == 7 && $6 + 0 >= 30 && !/mean/ { print $2 " (" $6 + 0 ")" }' "$runs/$1/confusion.txt" | xargs -n 2; }

train_rows
for kind in most-frequent trigram; do baseline "$kind"; done
{
  echo '| system | parameters | processor minutes | labels right, % | macro F1 | word error rate | sentences right, % |'
  echo '|---|---|---|---|---|---|---|'
  row most-frequent '|'
  row trigram '|'
  for name in "${names[@]}"; do
    row "$name" "$(number_in_log "$runs/$name" start parameters) | $(processor_minutes "$runs/$name")"
  done
} | tee "$runs/table.md"
{
  echo "| F1 of (how often) |$(printf ' %s |' most-frequent trigram "${names[@]}")"
  echo "|---|---|---$(printf -- '|---%.0s' "${names[@]}")|"
  columns=()
  for name in most-frequent trigram "${names[@]}"; do
    column "$name" >"$runs/$name/column"
    columns+=("$runs/$name/column")
  done
  labels most-frequent | paste -d '|' - "${columns[@]}" | sed 's/|/ | /g; s/^/| /; s/$/ |/'
} | tee "$runs/labels.md"
{
  echo
  echo "| system |$(labels most-frequent | sed 's/.*/ F1 of & |/' | tr -d '\n')"
  echo "|---|$(labels most-frequent | sed 's/.*/---|/' | tr -d '\n')"
  for name in most-frequent trigram "${names[@]}"; do echo "| $name |$(sed 's/.*/ & |/' "$runs/$name/column" | tr -d '\n')"; done
} | cat "$runs/table.md" - >"$runs/all.md"
keep_table "$runs/all.md"
"$heed" evaluate --reference "$text/test.labels" --confusion --figure "$runs/confusion.svg" "$runs/${names[-1]}/test.labels" \
  >"$runs/confusion.txt"
keep_figures "$runs/confusion.svg"
