#!/usr/bin/env bash
# What each part of the Transformer is for: one small model on Multi30k English to German, trained whole and without its
# positions, residual connections, normalization, scaling of scores and causal mask, all else equal; one table. With all
# rows, then also the gradient's norm against distance through each kind of layer (benchmarks/gradients).
#
#   recipes/ablations/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. Each training takes one thread; JOBS=2 makes two at once. Everything is
# made in runs/ablations, with options in runs/ablations/tries/OPTIONS; a row that is complete is not trained again, one that
# was cut off goes on. HEED_DATA=DIR takes the corpus from there (recipes/multi30k/prepare.sh), HEED_PRESET names the build
# (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

rows='
whole
no-positions --arch.encoder.positions none --arch.decoder.positions none
no-residuals --arch.encoder.residual false --arch.decoder.residual false
no-normalization --arch.encoder.norm-order none --arch.decoder.norm-order none
no-scaling --arch.encoder.scale-scores false --arch.decoder.scale-scores false
no-causal-mask --arch.decoder.causal-mask false
'
runs=runs/ablations results=recipes/ablations/results
common=(--config recipes/ablations/ablations.toml)
begin "$@"
use_multi30k

loss() {  # loss RUN EVENT KEY: the last one; - if training was too short to report any
  local number
  if [ -n "$(number_in_log "$1" train nll)" ]; then  # whose loss is the objective, with label smoothing
    echo "run.sh: $1 is a run of an older heed, which called its losses otherwise; move it away to train it again" >&2
    return 1
  fi
  number=$(number_in_log "$@")
  if [ -n "$number" ]; then printf %.2f "$number"; else echo -; fi
}

row() {  # row NAME
  local run=$runs/$1 training validation  # set on lines of their own: a failure within printf's arguments goes unseen
  training=$(loss "$run" train loss)
  validation=$(loss "$run" validation loss)
  printf '| %s | %s | %s | %s | %s |\n' "$1" "$(score "$run" "$valid")" "$(score "$run" "$test")" "$training" "$validation"
}

train_rows
{
  echo '| system | validation BLEU | test BLEU | training loss | validation loss |'
  echo '|---|---|---|---|---|'
  for name in "${names[@]}"; do row "$name"; done
} | tee "$runs/table.md"
keep_table "$runs/table.md"

if all_rows; then
  build=${heed%/bin/heed}
  cmake -DHEED_BUILD_BENCHMARKS=ON "$build" >&2
  cmake --build "$build" --target heed-gradients >&2
  "$build/bin/heed-gradients" --output "$runs/gradients"
  keep_figures "$runs/gradients.svg"
fi
