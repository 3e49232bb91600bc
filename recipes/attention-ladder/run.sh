#!/usr/bin/env bash
# The ladder of attention: from none to multi-head self-attention, every rung trained for the same time on
# data/quickstart, then BLEU and alignment error rate on its test set, in one table.
#
#   recipes/attention-ladder/run.sh [RUNG...] [-- heed train options]
#
# RUNG picks rungs (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training. MINUTES=3 is the time of each; let nothing else run meanwhile. Everything is made in runs/attention-ladder, with
# options or other MINUTES in runs/attention-ladder/tries/OPTIONS; a rung that is complete is not trained again, one that was
# cut off goes on. HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

recurrent="--arch.embedding-scale false --arch.encoder.type rnn --arch.encoder.hidden 128 \
  --arch.decoder.type rnn --arch.decoder.hidden 256 --arch.decoder.readout tanh"
self="--arch.encoder.layers 2 --arch.encoder.norm-order pre --arch.encoder.feed-forward.hidden 512 \
  --arch.decoder.layers 2 --arch.decoder.norm-order pre --arch.decoder.feed-forward.hidden 512"
rotary='--arch.encoder.positions rotary --arch.decoder.positions rotary'
rows="
none $recurrent --arch.decoder.attention none --arch.decoder.initial-state bridge
uniform $recurrent --arch.decoder.score uniform
tf-idf $recurrent --arch.decoder.score tf-idf
hard $recurrent --arch.decoder.attention-function hard --arch.decoder.horizon 1 --arch.decoder.entropy-weight 0.01 \
  --arch.decoder.expected-share 0.5
gumbel $recurrent --arch.decoder.attention-function gumbel
dot $recurrent --arch.decoder.score dot
additive $recurrent --arch.decoder.score additive
parameter-free $self --arch.encoder.attention parameter-free --arch.decoder.attention parameter-free
single-head $self $rotary --arch.encoder.attention single-head --arch.decoder.attention single-head
multi-head $self $rotary --arch.encoder.heads 4 --arch.decoder.heads 4
"
runs=runs/attention-ladder results=recipes/attention-ladder/results
text=data/quickstart source=en target=de train=train valid=dev test=test
metric='-m bleu'
minutes=${MINUTES:-3}
[ "$minutes" = 3 ] || altered=MINUTES=$minutes
common=(--config recipes/attention-ladder/common.toml --train.max-minutes "$minutes")
begin "$@"

align() {  # align NAME: the test set's words, as the last layer's attention links them
  local run=$runs/$1
  [ "$1" = none ] || [ -f "$run/test.align" ] || "$heed" align --model "$run/model" --source "$text/$test.$source" \
    --target "$text/$test.$target" --output "$run/test.align" --format pharaoh
}

error_rate() {  # error_rate RUN: against the gold alignments; - without attention
  [ -f "$1/test.align" ] || { echo -; return; }
  "$heed" evaluate --alignment "$text/$test.align" --decimals 3 "$1/test.align" | sed 's/^[^=]*= *\([0-9.]*\).*/\1/'
}

for name in "${names[@]}"; do
  system "$name" "$runs/$name"
  align "$name"
done
{
  echo '| rung | parameters | steps | BLEU | alignment error rate |'
  echo '|---|---|---|---|---|'
  for name in "${names[@]}"; do
    run=$runs/$name
    echo "| $name | $(number_in_log "$run" start parameters) | $(number_in_log "$run" finish 'step|update') |" \
      "$(score "$run" "$test") | $(error_rate "$run") |"
  done
} | tee "$runs/table.md"
keep_table "$runs/table.md"
