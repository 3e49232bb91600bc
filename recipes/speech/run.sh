#!/usr/bin/env bash
# Listen, attend and spell: sentences that espeak-ng says in many voices, written letter by letter, with attention and
# without; character and word error rates with voices that were not heard in training, and where each letter listened.
#
#   recipes/speech/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. JOBS=2 trains two systems at once. Everything is made in runs/speech,
# with options in runs/speech/tries/OPTIONS; a row that is complete is not trained again, one that was cut off goes on. It
# needs espeak-ng (Debian's package of that name) and 340 MB for the sounds. HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

rows='
no-attention --arch.decoder.attention none --arch.decoder.initial-state bridge
attention --arch.decoder.score additive
'
runs=runs/speech results=recipes/speech/results
text=runs/speech/data source=list target=text train=train valid=dev test=test reads=source-audio
common=(--config recipes/speech/common.toml)
begin "$@"
if [ ! -f "$text/train.list" ]; then
  command -v espeak-ng >/dev/null || {
    echo "run.sh: espeak-ng is missing: apt-get install --no-install-recommends espeak-ng" >&2; exit 1; }
  echo "run.sh: espeak-ng speaks, about a minute" >&2
  python3 -B recipes/speech/prepare.py "$text.new" && mv "$text.new" "$text"
fi

rate() { "$heed" evaluate --reference "$text/$test.text" --metric "$2" --decimals 1 "$1" | sed 's/^[^=]*= *\([0-9.]*\).*/\1/'; }
row() {  # row NAME FILE FACTS: a line of the table of the transcripts in FILE
  echo "| $1 | $3 | $(rate "$2" cer) | $(rate "$2" wer) | $(right "$2") |"
}
right() {  # percent of the sentences without a mistake
  paste "$text/$test.text" "$1" | awk -F '\t' '{ right += $1 == $2 } END { printf "%.1f", 100 * right / NR }'
}

train_rows
frequent=$(sort "$text/train.text" | uniq -c | sort -k1,1nr -k2 | awk 'NR == 1 { $1 = ""; print substr($0, 2) }')
sed "s/.*/$frequent/" "$text/$test.text" >"$runs/frequent.text"
{
  echo '| system | parameters | processor minutes | CER | WER | sentences right |'
  echo '|---|---|---|---|---|---|'
  row 'most frequent sentence' "$runs/frequent.text" '- | -'
  for name in "${names[@]}"; do
    run=$runs/$name
    row "$name" "$run/$test.text" "$(number_in_log "$run" start parameters) | $(processor_minutes "$run")"
  done
} | tee "$runs/table.md"
keep_table "$runs/table.md"
keep_text no-attention attention

# Where each letter of one sentence listened.
if [ -d "$runs/attention/model" ]; then
  sed -n 3p "$text/$test.list" | sed "s,^,$PWD/$text/," >"$runs/shown.list"
  "$heed" translate --model "$runs/attention/model" --source-audio "$runs/shown.list" --output "$runs/shown.text" \
    --alignment "$runs/listened.svg" --alignment-subwords
  keep_figures "$runs/listened.svg"
fi
