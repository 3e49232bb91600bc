#!/usr/bin/env bash
# One small Transformer, Multi30k English to German, trained with every kind of tokens; prints one table.
#
#   recipes/tokenization/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-updates 20 for a try. Everything is made in runs/tokenization; a row that is complete is not
# trained again, one that was cut off goes on. HEED_DATA=DIR takes the corpus from there (recipes/multi30k/prepare.sh),
# HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."

# name, then its options; all vocabularies are joint
rows='
words --text.type words --text.vocab-size 20000
characters --text.type characters
bpe --text.type bpe --text.merges 8000
bpe-dropout --text.type bpe --text.merges 8000 --text.dropout 0.1
sentencepiece-bpe --text.type sentencepiece-bpe --text.vocab-size 8000
unigram --text.type unigram --text.vocab-size 8000
unigram-nbest --text.type unigram --text.vocab-size 8000 --text.sampling nbest --text.sampling-nbest 64 --text.sampling-alpha 0.2
unigram-lattice --text.type unigram --text.vocab-size 8000 --text.sampling lattice --text.sampling-alpha 0.2
'

names=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  grep -q "^$1 " <<<"$rows" || { echo "run.sh: no row $1; the rows are" $(cut -d' ' -f1 <<<"$rows") >&2; exit 2; }
  names+=("$1")
  shift
done
[ $# -eq 0 ] || shift
[ ${#names[@]} -gt 0 ] || read -ra names <<<"$(cut -d' ' -f1 <<<"$rows" | tr '\n' ' ')"

preset=${HEED_PRESET:-release}
cmake/bootstrap.sh "$preset"
heed=build/$preset/bin/heed
data=runs/multi30k/data
recipes/multi30k/prepare.sh "$data"
text=$data/tok
test=test_2016_flickr

train() {  # train NAME OPTIONS...
  local run=runs/tokenization/$1
  shift
  mkdir -p "$run"
  [ ! -f "$run/$test.de" ] || return 0
  timed "$run/cpu-seconds" "$heed" train --config recipes/multi30k/transformer-tiny.toml \
    --config recipes/tokenization/common.toml --model "$run/model" --source "$text/train.en" --target "$text/train.de" \
    --valid-source "$text/val.en" --valid-target "$text/val.de" "$@"
  timed "$run/cpu-seconds" "$heed" translate --model "$run/model" --input "$text/$test.en" --output "$run/$test.de"
}

timed() {  # timed FILE COMMAND...: adds its processor seconds to FILE, also when it fails
  local file=$1 status=0 TIMEFORMAT='%U %S'
  shift
  { time "$@" 2>&3 || status=$?; } 3>&2 2>>"$file"
  return $status
}

score() {  # score NAME METRIC OPTIONS...: the number alone
  local run=runs/tokenization/$1
  shift
  "$heed" evaluate "$text/$test.de" -i "$run/$test.de" -m "$@" -b -w 1 -f text
}

row() {  # row NAME
  local run=runs/tokenization/$1 statistics
  statistics=$("$heed" tokenize --tokenizer "$(ls "$run"/model/target.*)" --statistics <"$text/$test.de")
  printf '| %s | %s | %s | %s | %s%% | %s | %s |\n' "$1" "$(score "$1" bleu -tok none)" \
    "$(score "$1" chrf --chrf-word-order 2)" "$(sed -n 's/^tokens per line: //p' <<<"$statistics")" \
    "$(sed -n 's/^unknown percent: //p' <<<"$statistics")" "$(sed -n 's/^vocabulary: //p' <<<"$statistics")" \
    "$(awk '{ seconds += $1 + $2 } END { printf "%.1f", seconds / 60 }' "$run/cpu-seconds")"
}

while read -r name options; do
  [[ -n $name && " ${names[*]} " == *" $name "* ]] || continue
  read -ra options <<<"$options"
  train "$name" "${options[@]}" "$@"
done <<<"$rows"

{
  echo '| tokens | BLEU | chrF++ | tokens per sentence | unknown | vocabulary | processor minutes |'
  echo '|---|---|---|---|---|---|---|'
  for name in "${names[@]}"; do row "$name"; done
} | tee runs/tokenization/table.md
