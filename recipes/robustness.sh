#!/usr/bin/env bash
#
# Prints how much a model loses when test text is written as people write it: in capitals, with typing errors, without
# punctuation, with emoji. A row for each kind of change: BLEU and chrF, and their differences from the unchanged text.
#
#   recipes/robustness.sh MODEL SOURCE TARGET [options of heed translate]
#   HEED=build/release/bin/heed KINDS="typos upper-case" recipes/robustness.sh models/en-de test.en test.de
#
# HEED is the program (by default `heed`), KINDS the changes (by default all), SEED the seed of the changes (1).
set -euo pipefail

if [ $# -lt 3 ]; then
  sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
model=$1 source=$2 target=$3
shift 3
heed=${HEED:-heed}
kinds=${KINDS:-join upper-case title-case no-punctuation double-punctuation typos no-accents emoji url}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

score() {  # score METRIC REFERENCE TRANSLATION
  "$heed" evaluate "$2" -i "$3" -m "$1" -b -w 1
}

row() {  # row NAME SOURCE REFERENCE: translates and prints a row of the table
  "$heed" translate --model "$model" "${options[@]}" <"$2" >"$work/out" 2>"$work/errors" || {
    cat "$work/errors" >&2
    exit 1
  }
  local bleu chrf
  bleu=$(score bleu "$3" "$work/out") chrf=$(score chrf "$3" "$work/out")
  : "${clean_bleu:=$bleu}" "${clean_chrf:=$chrf}"
  awk -v name="$1" -v bleu="$bleu" -v chrf="$chrf" -v clean_bleu="$clean_bleu" -v clean_chrf="$clean_chrf" \
    'BEGIN { printf "| %-18s | %5.1f | %+6.1f | %5.1f | %+6.1f |\n", name, bleu, bleu - clean_bleu, chrf, chrf - clean_chrf }'
}

options=("$@")
printf '| %-18s | %5s | %6s | %5s | %6s |\n' change BLEU loss chrF loss
printf '|%s|%s|%s|%s|%s|\n' -------------------- ------: -------: ------: -------:
row none "$source" "$target"
for kind in $kinds; do
  "$heed" data perturb --kinds "$kind" --seed "${SEED:-1}" --source "$source" --target "$target" \
    --output-source "$work/source" --output-target "$work/target" 2>"$work/errors" || {
    cat "$work/errors" >&2
    exit 1
  }
  row "$kind" "$work/source" "$work/target"
done
