#!/usr/bin/env bash
# How soon a score is reached: Multi30k English to German, lowercased and tokenized, from text files to the BLEU of the test
# set, with one clock for all of it: tokenizer, training, validations, translation and scoring.
#
#   recipes/multi30k/speedrun.sh [heed train options]
#
# The settings are in speedrun.toml. Everything is made in runs/speedrun, or with options in runs/speedrun/tries/OPTIONS. A
# run that was cut off starts again, because its clock has stopped: a complete run is not made again. HEED_DATA=DIR takes the
# corpus from there (recipes/multi30k/prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
help_if_asked "$@"

more=("$@")
preset=${HEED_PRESET:-release}
cmake/bootstrap.sh "$preset"
heed=build/$preset/bin/heed
runs=$(folder_of_runs runs/speedrun) results=recipes/multi30k/results
use_multi30k
run=$runs/speedrun

if [ ! -f "$runs/table.md" ]; then
  rm -rf "$run"
  mkdir -p "$run"
  begun=$(date +%s)
  "$heed" train --config recipes/multi30k/speedrun.toml --model "$run/model" \
    --source "$text/$train.$source" --target "$text/$train.$target" \
    --valid-source "$text/$valid.$source" --valid-target "$text/$valid.$target" "$@"
  write "$run" "$test"
  test_bleu=$(score "$run" "$test")
  seconds=$(($(date +%s) - begun))
  write "$run" "$valid"
  {
    printf '| run | minutes from text to score | validation BLEU | test BLEU |\n|---|---|---|---|\n'
    echo "| speedrun | $(awk "BEGIN { printf \"%.1f\", $seconds / 60 }") | $(score "$run" "$valid") | $test_bleu |"
  } >"$runs/table.part"
  mv "$runs/table.part" "$runs/table.md"
fi
cat "$runs/table.md"
keep_table "$runs/table.md"
