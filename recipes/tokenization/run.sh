#!/usr/bin/env bash
# One small Transformer, Multi30k English to German, trained with every kind of tokens; prints one table.
#
#   recipes/tokenization/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. JOBS=2 trains two systems at once, of two threads each. Everything
# is made in runs/tokenization, with options in runs/tokenization/tries/OPTIONS; a row that is complete is not trained
# again, one that was cut off goes on. HEED_DATA=DIR takes the corpus from there (recipes/multi30k/prepare.sh),
# HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

# name, then its options; all vocabularies are joint. A sentence has some 4.5 times as many characters as other tokens, so
# that their batches have as many sentences.
rows='
words --text.type words --text.vocab-size 20000
characters --text.type characters --data.batch-tokens 18000
bpe --text.type bpe --text.merges 8000
bpe-dropout --text.type bpe --text.merges 8000 --text.dropout 0.1
sentencepiece-bpe --text.type sentencepiece-bpe --text.vocab-size 8000
unigram --text.type unigram --text.vocab-size 8000
unigram-nbest --text.type unigram --text.vocab-size 8000 --text.sampling nbest --text.sampling-nbest 64 --text.sampling-alpha 0.2
unigram-lattice --text.type unigram --text.vocab-size 8000 --text.sampling lattice --text.sampling-alpha 0.2
'
runs=runs/tokenization results=recipes/tokenization/results
common=(--config recipes/tokenization/common.toml)
begin "$@"
use_multi30k

row() {  # row NAME
  local run=$runs/$1 statistics
  statistics=$("$heed" tokenize --tokenizer "$(ls "$run"/model/target.*)" --statistics <"$text/$test.$target")
  fact() { sed -n "s/^$1: //p" <<<"$statistics"; }
  printf '| %s | %s | %s | %s | %s%% | %s | %s |\n' "$1" "$(score "$run" "$test")" \
    "$(metric='-m chrf --chrf-word-order 2' score "$run" "$test")" "$(fact 'tokens per line')" \
    "$(fact 'unknown percent')" "$(fact vocabulary)" "$(processor_minutes "$run")"
}

train_rows
{
  echo '| tokens | BLEU | chrF++ | tokens per sentence | unknown | vocabulary | processor minutes |'
  echo '|---|---|---|---|---|---|---|'
  for name in "${names[@]}"; do row "$name"; done
} | tee "$runs/table.md"
keep_table "$runs/table.md"
