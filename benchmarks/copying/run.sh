#!/usr/bin/env bash
# Copying and reversing random sequences of 30 symbols, by every kind of encoder-decoder: what one vector of fixed size
# cannot hold, attention finds. Makes the sequences, trains, translates and prints one table for each task.
#
#   benchmarks/copying/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. LENGTH=30 is the length. Each training takes one thread; JOBS=2 makes
# two at once. Everything is made in runs/copying, with options in runs/copying/tries/OPTIONS; a run that is complete is not
# made again, one that was cut off goes on. HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."

recurrent='--arch.encoder.type rnn --arch.encoder.hidden 64 --arch.decoder.type rnn --arch.decoder.hidden 128'
transformer="--arch.encoder.layers 2 --arch.encoder.heads 4 --arch.encoder.norm-order pre \
  --arch.encoder.feed-forward.hidden 256 --arch.decoder.layers 2 --arch.decoder.heads 4 --arch.decoder.norm-order pre \
  --arch.decoder.feed-forward.hidden 256"
rows="
fixed-vector $recurrent --arch.decoder.attention none --arch.decoder.initial-state bridge --arch.decoder.readout tanh
additive $recurrent --arch.decoder.score additive
general $recurrent --arch.decoder.attention after --arch.decoder.score general --arch.decoder.readout tanh
convolution --arch.encoder.type convolution --arch.encoder.layers 3 --arch.encoder.hidden 128 \
  --arch.decoder.type convolution --arch.decoder.layers 3 --arch.decoder.hidden 128
transformer $transformer
"
length=${LENGTH:-30}
runs=runs/copying
source=source target=target train=train valid=dev test=test
metric='-m bleu -tok none'
common=(--config benchmarks/copying/copying.toml)
. recipes/systems.sh
begin "$@"

make_sequences() {  # make_sequences TASK FOLDER
  mkdir -p "$2.part"
  python3 - "$1" "$2.part" "$length" <<'P'
import random
import sys

task, folder, length = sys.argv[1], sys.argv[2], int(sys.argv[3])
rng = random.Random(1)
symbols = [chr(ord("a") + i) for i in range(20)]
for split, count in ("train", 20_000), ("dev", 200), ("test", 1_000):
    with open(f"{folder}/{split}.source", "w") as source, open(f"{folder}/{split}.target", "w") as target:
        for _ in range(count):
            sequence = rng.choices(symbols, k=length)
            source.write(" ".join(sequence) + "\n")
            target.write(" ".join(sequence[::-1] if task == "reversing" else sequence) + "\n")
P
  mv "$2.part" "$2"
}

whole_sequences_right() {  # whole_sequences_right RUN: percent
  paste -d '|' "$text/$test.$target" "$1/$test.$target" |
    awk -F '|' '{ right += $1 == $2 } END { printf "%.1f%%", 100 * right / NR }'
}

for task in copying reversing; do
  text=$runs/$task-$length/text
  [ -d "$text" ] || make_sequences "$task" "$text"
  for name in "${names[@]}"; do
    system_beside "$name" "$runs/$task-$length/$name"
  done
  systems_complete "${names[@]/#/$runs/$task-$length/}"
done
for task in copying reversing; do
  text=$runs/$task-$length/text
  echo "| $task $length symbols | parameters | whole sequences right | BLEU | processor minutes |"
  echo '|---|---|---|---|---|'
  for name in "${names[@]}"; do
    run=$runs/$task-$length/$name
    echo "| $name | $(number_in_log "$run" start parameters) | $(whole_sequences_right "$run") | $(score "$run" "$test") |" \
      "$(processor_minutes "$run") |"
  done
  echo
done | tee "$runs/table-$length.md"
