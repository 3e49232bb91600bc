#!/usr/bin/env bash
# Multi30k, English to German or French, with a small Transformer: prepares the data, trains, translates, evaluates.
#
#   recipes/multi30k/run.sh [de|fr] [tok|raw] [heed train options]
#
# tok (the default) is the published lowercased, normalized, tokenized text, scored as it is (--tokenize none), which is
# what published scores use; raw is the text as written, scored with sacreBLEU's own tokenizer. Everything is made in
# runs/multi30k, with options in runs/multi30k/tries/OPTIONS; running it again goes on where it stopped. HEED_DATA=DIR takes
# the corpus from there (see prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
help_if_asked "$@"

language=${1:-de}
text=${2:-tok}
shift $(($# < 2 ? $# : 2))
more=("$@")
case $language-$text in
  de-tok | de-raw | fr-tok | fr-raw) ;;
  *) echo "usage: recipes/multi30k/run.sh [de|fr] [tok|raw] [heed train options]" >&2; exit 2 ;;
esac
[ "$text" = tok ] && tokenize=none || tokenize=13a

preset=${HEED_PRESET:-release}
cmake/bootstrap.sh "$preset"
heed=build/$preset/bin/heed
data=runs/multi30k/data
runs=$(folder_of_runs runs/multi30k) results=recipes/multi30k/results
run=$runs/en-$language-$text valid=val test=test_2016_flickr target=$language
recipes/multi30k/prepare.sh "$data"
mkdir -p "$run"

"$heed" train --config recipes/multi30k/transformer-tiny.toml --model "$run/model" \
  --source "$data/$text/train.en" --target "$data/$text/train.$language" \
  --valid-source "$data/$text/val.en" --valid-target "$data/$text/val.$language" --valid.tokenize "$tokenize" "$@"
for split in "$valid" "$test"; do
  "$heed" translate --model "$run/model" <"$data/$text/$split.en" >"$run/$split.$language"
  printf '%s  ' "$split"
  "$heed" evaluate --tokenize "$tokenize" --reference "$data/$text/$split.$language" "$run/$split.$language"
done | tee "$run/bleu.txt"

scores() { sed 's/.* = \([0-9.]*\) .* (BP.*/\1/' "$run/bleu.txt" | paste -sd '|'; }  # of both
signature() { sed -n '$s/.* BLEU|\(.*\) = .* (BP.*/\1/p' "$run/bleu.txt" | tr '|' ' '; }
{
  printf '| run | validation BLEU | test BLEU | signature |\n|---|---|---|---|\n'
  echo "| ${run##*/} | $(scores) | $(signature) |"
} >"$run/table.md"
keep_table "$run/table.md"
keep_text "${run##*/}"
