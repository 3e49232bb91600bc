#!/usr/bin/env bash
# Answers to questions about pictures of colored shapes (data/scenes), from the picture and from the question alone, by kind
# of question.
#
#   recipes/image-qa/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. JOBS=2 trains two systems at once. Everything is made in
# runs/image-qa, with options in runs/image-qa/tries/OPTIONS, the pictures in runs/scenes; a row that is complete is not
# trained again, one that was cut off goes on. HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

pictures='--images.color rgb --arch.vectors.type convolution --arch.vectors.layers 3 --arch.vectors.channels 32
  --arch.vectors.kernel 5 --arch.vectors.grid-positions sinusoidal'
rows="
question --data.batch-tokens 400
picture $(xargs <<<"$pictures") --data.batch-tokens 2000
"
runs=runs/image-qa results=recipes/image-qa/results
text=runs/scenes source=questions target=answers train=train valid=dev test=test writes=predict
common=(--config recipes/image-qa/common.toml)
begin "$@"
[ -f "$text/train.list" ] || { python3 data/scenes/generate.py --output "$text.new" >&2 && mv "$text.new" "$text"; }

as_row() {  # as_row NAME: what it reads besides the question
  case $1 in
    picture) beside='source-images question-pictures' ;;
    *) beside= ;;
  esac
}

for name in "${names[@]}"; do
  as_row "$name"
  system_beside "$name" "$runs/$name"
done
systems_complete "${names[@]/#/$runs/}"
python3 -B recipes/image-qa/kinds.py "$text" "${names[@]/#/$runs/}" | tee "$runs/table.md"
keep_table "$runs/table.md"
keep_text question picture

# Where the answer came from: questions about one picture, answered with it.
if [ -d "$runs/picture/model" ]; then
  sed -n '1,6p' "$text/$test.questions" >"$runs/shown.questions"
  sed -n '1,6p' "$text/$test.question-pictures" | sed "s,^,$PWD/$text/," >"$runs/shown.list"
  "$heed" predict --model "$runs/picture/model" --input "$runs/shown.questions" --source-images "$runs/shown.list" \
    --output "$runs/shown.answers" --attention "$runs/decided.svg"
  keep_figures "$runs/decided.svg"
fi
