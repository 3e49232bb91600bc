#!/usr/bin/env bash
# Multi30k, English to German or French, with a small Transformer: prepares the data, trains, translates, evaluates.
#
#   recipes/multi30k/run.sh [de|fr] [tok|raw] [heed train options]
#
# tok (the default) is the published lowercased, normalized, tokenized text, scored as it is (--tokenize none), which is
# what published scores use; raw is the text as written, scored with sacreBLEU's own tokenizer. SEEDS="1 2 3" trains with each
# of these seeds and prints the mean and the range of the scores; JOBS=2 makes two trainings at once. SETTINGS=default trains
# with heed's default preset instead of transformer-tiny.toml, in bf16 on one thread. Everything is made in runs/multi30k, with
# options in runs/multi30k/tries/OPTIONS; a run that is complete is not made again, one that was cut off goes on.
# HEED_DATA=DIR takes the corpus from there (see prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
help_if_asked "$@"

language=${1:-de}
kind=${2:-tok}
shift $(($# < 2 ? $# : 2))
more=("$@")
case $language-$kind in
  de-tok | de-raw | fr-tok | fr-raw) ;;
  *) echo "usage: recipes/multi30k/run.sh [de|fr] [tok|raw] [heed train options]" >&2; exit 2 ;;
esac
case ${SETTINGS:=recipe} in
  recipe) settings=(--config recipes/multi30k/transformer-tiny.toml) rows=en-$language-$kind ;;
  default) settings=(--train.precision bf16 --threads 1) rows=en-$language-$kind-default ;;
  *) echo "run.sh: SETTINGS must be recipe or default, found $SETTINGS" >&2; exit 2 ;;
esac
[ "$kind" = tok ] && tokenize=none || tokenize=13a

preset=${HEED_PRESET:-release}
cmake/bootstrap.sh "$preset"
heed=build/$preset/bin/heed
names=("$rows")
runs=$(folder_of_runs runs/multi30k) results=recipes/multi30k/results
text=runs/multi30k/data/$kind source=en target=$language train=train valid=val test=test_2016_flickr
metric="-m bleu -tok $tokenize"
common=("${settings[@]}" --valid.tokenize "$tokenize")
recipes/multi30k/prepare.sh runs/multi30k/data
mkdir -p "$runs"

if [ -n "${SEEDS:-}" ]; then
  compare_with_seeds | tee "$runs/$rows-seeds.md"
  keep_table "$runs/seeds.md"
  exit
fi

run=$runs/$rows
system "$rows" "$run"
for split in "$valid" "$test"; do
  printf '%s  ' "$split"
  "$heed" evaluate --tokenize "$tokenize" --reference "$text/$split.$target" "$run/$split.$target"
done | tee "$run/bleu.txt"

scores() { sed 's/.* = \([0-9.]*\) .* (BP.*/\1/' "$run/bleu.txt" | paste -sd '|'; }  # of both
signature() { sed -n '$s/.* BLEU|\(.*\) = .* (BP.*/\1/p' "$run/bleu.txt" | tr '|' ' '; }
{
  printf '| run | validation BLEU | test BLEU | signature |\n|---|---|---|---|\n'
  echo "| ${run##*/} | $(scores) | $(signature) |"
} >"$run/table.md"
keep_table "$run/table.md"
keep_text "${run##*/}"
