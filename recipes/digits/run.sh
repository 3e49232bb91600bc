#!/usr/bin/env bash
# Handwritten digits, the 1,797 of scikit-learn: which one it is by convolutions, without and with channel attention, and by a
# Vision Transformer, and its name written letter by letter by a decoder that attends to the pixels; beside logistic
# regression and support vectors. In five folds: each digit is in the test set of one of them.
#
#   recipes/digits/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. Each training takes one thread; JOBS=2 makes two at once. Everything is
# made in runs/digits, with options in runs/digits/tries/OPTIONS; a training that is complete is not made again, one that was
# cut off goes on. scikit-learn comes from PyPI, into build/tools. HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
. cmake/python_tool.sh

# Convolutions that keep all 64 positions: attention, of the pooling or of the decoder, can point at pixels.
convolutions='--arch.vectors.type convolution --arch.vectors.layers 3 --arch.vectors.stride 1 --arch.encoder.type identity'
attention=--arch.vectors.channel-attention
rows="
convolutions --task classification --data.batch-tokens 4096 $convolutions
squeeze-excitation --task classification --data.batch-tokens 4096 $convolutions $attention squeeze-excitation \
  $attention-reduction 4
cbam --task classification --data.batch-tokens 4096 $convolutions $attention cbam $attention-reduction 4
patches --task classification --data.batch-tokens 1024 --arch.vectors.type patches --arch.vectors.patch 2 \
  --arch.encoder.layers 3 --arch.encoder.feed-forward.hidden 128 --arch.encoder.positions none
spelled --text.type characters --text.joint false --arch.tied-embeddings none --data.batch-tokens 320 --valid.metric cer \
  $convolutions --arch.decoder.type rnn --arch.decoder.hidden 128
"
runs=runs/digits results=recipes/digits/results data=runs/digits/data folds='1 2 3 4 5'
source=npy train=train valid=valid test=test reads=source-vectors
common=(--config recipes/digits/digits.toml)
begin "$@"
python=$(python_packages numpy==2.4.6 scikit-learn==1.9.1)
[ -f "$data/fold-5/test.name" ] || "$python" recipes/digits/prepare.py "$data"

as_row() {  # as_row NAME: what it writes
  case $1 in
    spelled) target=name writes=translate ;;
    *) target=digit writes=predict ;;
  esac
}

all_folds() {  # all_folds FOLDER FILE: the file of all folds, one behind the other
  local fold
  for fold in $folds; do cat "$1-$fold/$2"; done
}

row() {  # row NAME FOLDER FACTS: a line of the table of the predictions in FOLDER-1 to FOLDER-5
  all_folds "$data/fold" "test.$target" >"$runs/gold.$target"
  all_folds "$2" "test.$target" >"$2.$target"
  echo "| $1 | $3 | $("$heed" evaluate --reference "$runs/gold.$target" --metric accuracy --decimals 2 \
    --significance confidence "$2.$target" | sed 's/.*= \([0-9.]*\) (.* ± \([0-9.]*\)) (right = \([0-9]*\) .*/\3 | \1 ± \2 |/')"
}

fold_rows() {  # fold_rows FOLDER: lines of a table of the predictions in FOLDER-1 to FOLDER-5
  local fold
  for fold in $folds; do
    echo "| ${1##*/}-$fold | $("$heed" evaluate --reference "$data/fold-$fold/test.$target" --metric accuracy \
      "$1-$fold/test.$target" | sed 's/.*(right = \([0-9]*\) labels = \([0-9]*\)).*/\1 | \2 |/')"
  done
}

baseline() {  # baseline KIND
  local fold folder
  for fold in $folds; do
    folder=runs/digits/$1-$fold
    [ -f "$folder/test.digit" ] && continue
    mkdir -p "$folder"
    "$python" recipes/digits/baseline.py "$1" "$data/fold-$fold" >"$folder/part"
    mv "$folder/part" "$folder/test.digit"
  done
}

for name in "${names[@]}"; do
  as_row "$name"
  all=()
  for fold in $folds; do
    all+=("$runs/$name-$fold")
    text=$data/fold-$fold system_beside "$name" "$runs/$name-$fold"
  done
  systems_complete "${all[@]}"
done
for kind in logistic vectors; do baseline "$kind"; done
{
  echo '| system | parameters | processor minutes a fold | digits right, of 1,797 | % |'
  echo '|---|---|---|---|---|'
  target=digit
  row 'logistic regression' runs/digits/logistic '|'
  row 'support vectors' runs/digits/vectors '|'
  for name in "${names[@]}"; do
    as_row "$name"
    row "$name" "$runs/$name" "$(number_in_log "$runs/$name-1" start parameters) | $(processor_minutes "$runs/$name-1")"
  done
} | tee "$runs/table.md"
{
  printf '| run | digits right | of |\n|---|---|---|\n'
  target=digit
  for kind in logistic vectors; do fold_rows "runs/digits/$kind"; done
  for name in "${names[@]}"; do
    as_row "$name"
    fold_rows "$runs/$name"
  done
} >"$runs/folds.md"
keep_table "$runs/folds.md"
keep_file "$runs/spelled.name" spelled.name  # of all folds

# Where they look, at digits that were drawn for this, with the first fold.
"$python" recipes/digits/picture.py vectors recipes/digits/examples.txt "$runs/examples.npy"
maps=()
for name in "${names[@]}"; do
  map=$runs/$name.json
  maps+=("$map")
  as_row "$name"
  if [ "$writes" = predict ]; then shown=(--attention "$map"); else shown=(--alignment "$map" --alignment-subwords); fi
  "$heed" "$writes" --model "$runs/$name-1/model" --source-vectors "$runs/examples.npy" "${shown[@]}" >"$runs/$name.shown"
done
"$python" recipes/digits/picture.py draw recipes/digits/examples.txt "${maps[@]}" >"$runs/attention.svg"
keep_figures "$runs/attention.svg"
