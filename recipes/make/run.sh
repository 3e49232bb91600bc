#!/usr/bin/env bash
# How good are the choices of `heed make`? Trains English to German on four texts with the same time: `heed make`, the
# default preset, and each size of the rule's table. Prints one table.
#
#   recipes/make/run.sh [HOURS...]        # default: 1 2
#
# The texts are Multi30k and, with HEED_DATA=DIR, LibreOffice's help and the dialogues of Wesnoth
# (DIR/software/{help,wesnoth}.{en,de}.gz), and all three together. Multi30k comes from DIR too (recipes/multi30k/prepare.sh).
# `noise` is `heed make` on Multi30k with 5% of planted noise (benchmarks/data_filters). TEXTS="help" and SYSTEMS="make preset"
# choose some. Everything is made in runs/make. What is complete is not made again, and what was interrupted continues.
# HEED_PRESET names the build (default: release). Run it on a quiet machine: the time is part of the result.
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
help_if_asked "$@"

hours=("$@")
[ $# -gt 0 ] || hours=(1 2)
for one in "${hours[@]}"; do
  [[ $one =~ ^[0-9]+(\.[0-9]+)?$ ]] || { echo "run.sh: HOURS must be numbers, found $one" >&2; exit 2; }
done
preset=${HEED_PRESET:-release}
cmake/bootstrap.sh "$preset"
heed=build/$preset/bin/heed
runs=runs/make
mkdir -p "$runs"

# Each text is runs/make/text/NAME/{train,valid,test}.{en,de}.
use_multi30k_raw() {
  recipes/multi30k/prepare.sh runs/multi30k/data
  mkdir -p "$runs/text/multi30k"
  local part
  for part in train:train val:valid test_2016_flickr:test; do
    for side in en de; do cp "runs/multi30k/data/raw/${part%:*}.$side" "$runs/text/multi30k/${part#*:}.$side"; done
  done
}
use_software() {  # use_software NAME
  [ -f "$runs/text/$1/test.de" ] && return
  mkdir -p "$runs/raw"
  for side in en de; do gzip -dc "$HEED_DATA/software/$1.$side.gz" >"$runs/raw/$1.$side"; done
  "$heed" data split --source "$runs/raw/$1.en" --target "$runs/raw/$1.de" --block-lines 100 --output "$runs/text/$1"
}
use_all() {
  mkdir -p "$runs/text/all"
  local part
  for part in train valid test; do
    for side in en de; do cat "$runs"/text/{multi30k,help,wesnoth}/"$part.$side" >"$runs/text/all/$part.$side"; done
  done
}
use_noise() {
  local noisy=$runs/noisy
  [ -f "$noisy/noisy.de" ] ||
    python3 benchmarks/data_filters/data_filters.py "$heed" --data "$HEED_DATA" --rate 0.005 --keep "$noisy" >/dev/null
  mkdir -p "$runs/text/noise"
  for side in en de; do
    cp "$noisy/noisy.$side" "$runs/text/noise/train.$side"
    cp "$runs/text/multi30k/valid.$side" "$runs/text/multi30k/test.$side" "$runs/text/noise/"
  done
}

texts=(multi30k)
use_multi30k_raw
if [ -n "${HEED_DATA:-}" ] && [ -f "$HEED_DATA/software/help.en.gz" ]; then
  texts+=(help wesnoth all noise)
  use_software help
  use_software wesnoth
  use_all
  use_noise
fi
[ -z "${TEXTS:-}" ] || read -ra texts <<<"$TEXTS"
read -ra systems <<<"${SYSTEMS:-make preset tiny mini small}"

pairs_of() {  # pairs_of TEXT PREFIX PART
  echo "--$2source $runs/text/$1/$3.en --$2target $runs/text/$1/$3.de"
}
# A size of the table, with everything else as `heed make` chooses it.
settings_of() {
  local wide deep hidden
  case $1 in
    tiny) wide=128 deep=4 hidden=256 ;;
    mini) wide=256 deep=4 hidden=1024 ;;
    small) wide=512 deep=6 hidden=1024 ;;
  esac
  rate=$(awk "BEGIN { print 0.64 / $wide }")
  printf '[arch]\nd-model = %d\nencoder.layers = %d\ndecoder.layers = %d\n' "$wide" "$deep" "$deep"
  printf 'encoder.feed-forward.hidden = %d\ndecoder.feed-forward.hidden = %d\n' "$hidden" "$hidden"
  printf '[train.schedule]\nlearning-rate = %s\n' "$rate"
}

run_one() {  # run_one TEXT HOURS SYSTEM
  local model=$runs/$1-$2h-$3 begin
  [ ! -f "$model.de" ] || return 0
  begin=$(date +%s)
  # shellcheck disable=SC2046  # options
  case $3 in
    preset)
      "$heed" train $(pairs_of "$1" "" train) $(pairs_of "$1" valid- valid) --model "$model" \
        --train.max-minutes "$(awk "BEGIN { print 60 * $2 }")"
      ;;
    make)
      "$heed" make $(pairs_of "$1" "" train) $(pairs_of "$1" valid- valid) $(pairs_of "$1" test- test) \
        --model "$model" --hours "$2"
      ;;
    *)
      settings_of "$3" >"$runs/$3.toml"
      "$heed" make $(pairs_of "$1" "" train) $(pairs_of "$1" valid- valid) $(pairs_of "$1" test- test) \
        --model "$model" --hours "$2" --config "$runs/$3.toml"
      ;;
  esac
  echo $(($(date +%s) - begin)) >"$model.seconds"
  "$heed" translate --model "$model" --input "$runs/text/$1/test.en" --output "$model.de"
}

# Scores with intervals, and the chance that the difference to the preset is none.
row() {  # row TEXT HOURS SYSTEM
  local model=$runs/$1-$2h-$3 score
  score=$("$heed" evaluate --reference "$runs/text/$1/test.de" --significance confidence "$model.de" |
    sed 's/.* = \([0-9.]*\) (μ = [0-9.]* ± \([0-9.]*\)).*/\1 ± \2/')
  printf '| %s | %s | %s | %s | %s |\n' "$1" "$2" "$3" "$score" \
    "$(awk '{ printf "%.1f", $1 / 60 }' "$model.seconds")"
}

for text in "${texts[@]}"; do
  for one in "${hours[@]}"; do
    for system in "${systems[@]}"; do
      [ "$text" != noise ] || [ "$system" = make ] || continue
      run_one "$text" "$one" "$system" >&2
    done
  done
done
{
  echo '| text | hours | system | test BLEU | minutes |'
  echo '|---|---|---|---|---|'
  for text in "${texts[@]}"; do
    for one in "${hours[@]}"; do
      for system in "${systems[@]}"; do
        [ ! -f "$runs/$text-${one}h-$system.de" ] || row "$text" "$one" "$system"
      done
    done
  done
} | tee "$runs/table.md"
