#!/usr/bin/env bash
# Captions of pictures of colored shapes (data/scenes): without attention, with soft and with hard attention, with channel
# attention, with a Transformer, and with scheduled sampling; BLEU, captions that are right, and whether the network looks at
# what it names.
#
#   recipes/captioning/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. JOBS=2 trains two systems at once. Everything is made in
# runs/captioning, with options in runs/captioning/tries/OPTIONS, the pictures in runs/scenes; a row that is complete is not
# trained again, one that was cut off goes on. NumPy comes from PyPI, into build/tools. HEED_PRESET names the build (default:
# release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
. cmake/python_tool.sh

recurrent='--arch.embedding-scale false --arch.encoder.type identity
  --arch.decoder.type rnn --arch.decoder.hidden 256 --arch.decoder.readout tanh'
recurrent=$(xargs <<<"$recurrent")
sampling=--train.scheduled-sampling
channels=--arch.vectors.channel-attention
rows="
no-attention $recurrent --arch.decoder.attention none
soft $recurrent
squeeze-excitation $recurrent $channels squeeze-excitation $channels-reduction 4
cbam $recurrent $channels cbam $channels-reduction 4
hard $recurrent --arch.decoder.attention-function hard --arch.decoder.horizon 1 --arch.decoder.expected-share 0.8
gumbel $recurrent --arch.decoder.attention-function gumbel
transformer --arch.encoder.layers 2 --arch.encoder.norm-order pre --arch.encoder.feed-forward.hidden 256 \
  --arch.encoder.positions none --arch.decoder.layers 2 --arch.decoder.norm-order pre \
  --arch.decoder.feed-forward.hidden 256
sampling-linear $recurrent $sampling.type linear $sampling.length 3000 $sampling.minimum 0.2
sampling-exponential $recurrent $sampling.type exponential $sampling.k 0.9995
sampling-inverse-sigmoid $recurrent $sampling.type inverse-sigmoid $sampling.k 400
"
runs=runs/captioning results=recipes/captioning/results
text=runs/scenes source=list target=captions train=train valid=dev test=test reads=source-images
metric='--metric bleu --tokenize none'
common=(--config recipes/captioning/common.toml)
begin "$@"
python=$(python_packages numpy==2.4.6)
[ -f "$text/train.list" ] || { python3 data/scenes/generate.py --output "$text.new" >&2 && mv "$text.new" "$text"; }

looks() {  # looks NAME: where the words of its captions of the test set look, if it has attention
  [ "$1" = no-attention ] || [ -f "$runs/$1/looks.json" ] ||
    "$heed" translate --model "$runs/$1/model" --source-images "$text/$test.list" --output "$runs/$1/looks.captions" \
      --alignment "$runs/$1/looks.json"
}

row() {  # row NAME RUN: a line of the table; without a model RUN has a baseline's captions
  local facts='- | -' looked=()
  [ ! -d "$2/model" ] || facts="$(number_in_log "$2" start parameters) | $(processor_minutes "$2")"
  [ ! -f "$2/looks.json" ] || looked=("$2/looks.json")
  echo "| $1 | $facts | $(score "$2" "$test") |" \
    "$(python3 -B recipes/captioning/score.py "$text/$test" "$2/$test.captions" "${looked[@]}") |"
}

train_rows
for name in "${names[@]}"; do looks "$name"; done
for kind in frequent nearest; do
  [ -f "$runs/$kind/$test.captions" ] || { mkdir -p "$runs/$kind" &&
    "$python" -B recipes/captioning/baseline.py "$kind" "$text" "$runs/$kind/$test.captions"; }
done
{
  echo '| system | parameters | processor minutes | BLEU | exact | true | noun looks | noun weight | color looks | color weight |'
  echo '|---|---|---|---|---|---|---|---|---|---|'
  row 'most frequent caption' "$runs/frequent"
  row 'caption of the nearest picture' "$runs/nearest"
  for name in "${names[@]}"; do row "$name" "$runs/$name"; done
  echo "| equal weights | - | - | - | - | - | $(python3 -B recipes/captioning/score.py "$text/$test") |"
} | tee "$runs/table.md"
keep_table "$runs/table.md"

# What soft and hard attention look at while they say one caption: hard by REINFORCE and by the Gumbel-softmax.
sed -n 441p "$text/$test.list" | sed "s,^,$PWD/$text/," >"$runs/shown.list"
for name in soft hard gumbel; do
  [ ! -d "$runs/$name/model" ] || "$heed" translate --model "$runs/$name/model" --source-images "$runs/shown.list" \
    --output "$runs/shown.captions" --alignment "$runs/$name.svg"
  [ ! -f "$runs/$name.svg" ] || keep_figures "$runs/$name.svg"
done
