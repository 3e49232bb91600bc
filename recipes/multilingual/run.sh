#!/usr/bin/env bash
# One model for three target languages beside a model for each: Multi30k from English to German, French and Czech, lowercased
# and tokenized. Each target line of the common model begins with a tag, <2de>, <2fr> or <2cs> (Johnson et al. 2017,
# https://aclanthology.org/Q17-1024, there at the beginning of the source).
#
#   recipes/multilingual/run.sh [NAME...] [-- heed train options]
#
# NAME is joint, de, fr or cs; without one all are trained, one after the other. joint takes three times the steps of the
# others. Options behind -- go to every training, such as --train.max-steps 20 for a try. Each training takes one thread;
# JOBS=2 makes two at once. Everything is made in runs/multilingual, with options in runs/multilingual/tries/OPTIONS; a row
# that is complete is not trained again, one that was cut off goes on. HEED_DATA=DIR takes the corpus from there
# (recipes/multi30k/prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

languages='de fr cs'
rows='
joint --train.max-steps 4500 --text.user-symbols <2de> <2fr> <2cs>
de --train.max-steps 1500
fr --train.max-steps 1500
cs --train.max-steps 1500
'
runs=runs/multilingual results=recipes/multilingual/results
common=(--config recipes/multi30k/transformer-tiny.toml recipes/multilingual/multilingual.toml)
begin "$@"
use_multi30k
corpus=$text joined=$runs/data

# The common text: for each language its pairs, the target lines with their tag.
for split in "$train" "$valid" "$test"; do
  mkdir -p "$joined"
  [ ! -f "$joined/$split.all" ] || continue
  for language in $languages; do cat "$corpus/$split.en"; done >"$joined/$split.en"
  for language in $languages; do sed "s/^/<2$language> /" "$corpus/$split.$language"; done >"$joined/part"
  mv "$joined/part" "$joined/$split.all"
done

for name in "${names[@]}"; do
  text=$corpus target=$name
  [ "$name" != joint ] || text=$joined target=all
  system_beside "$name" "$runs/$name"
done
wait

row() {  # row NAME LANGUAGE
  local run=$runs/$1 split
  text=$corpus target=$2
  for split in "$valid" "$test"; do
    [ -f "$run/$split.$2" ] || "$heed" translate --model "$run/model" --input "$text/$split.$source" \
      --output "$run/$split.$2" --target-tag "<2$2>"
  done
  echo "| $1-$2 | $(score "$run" "$valid") | $(score "$run" "$test") |"
}
{
  printf '| run | validation BLEU | test BLEU |\n|---|---|---|\n'
  for name in "${names[@]}"; do
    for language in $languages; do
      case $name in joint | "$language") row "$name" "$language" ;; esac
    done
  done
} | tee "$runs/table.md"
keep_table "$runs/table.md"
