#!/usr/bin/env bash
# prepare.sh: Multi30k English-German, raw text, as pieces of one joint SentencePiece model with 8,000 entries, and in
# the forms that the installed toolkits want. The corpus is fetched by recipes/multi30k/prepare.sh (HEED_DATA applies)
# unless MULTI30K names a folder with train.en, train.de, val.en and val.de.
. "$(dirname "$0")/common.sh"
if [ ! -s "$data/done" ]; then
  if [ -z "${MULTI30K:-}" ]; then
    MULTI30K=$root/runs/multi30k/data/raw
    "$root/recipes/multi30k/prepare.sh" "$root/runs/multi30k/data"
  fi
  "$PEERS_DIR/pieces/bin/python" "$here/make_pieces.py" "$MULTI30K" "$data"
  for l in en de; do head -n 64 "$data/val.pieces.$l" >"$data/small.pieces.$l"; done
  echo "8,000 entries, joint" >"$data/done"
fi

if [ -x "$PEERS_DIR/fairseq/bin/python" ] && [ ! -s "$data/fairseq/valid.en-de.de.idx" ]; then
  "$PEERS_DIR/fairseq/bin/python" "$here/hook_fairseq.py" preprocess --source-lang en --target-lang de \
    --joined-dictionary --srcdict "$data/vocabulary.fairseq" --destdir "$data/fairseq" --workers 1 \
    --trainpref "$data/train.pieces" --validpref "$data/val.pieces" >"$data/fairseq.log" 2>&1
fi
if [ -x "$PEERS_DIR/sockeye/bin/python" ] && [ ! -s "$data/sockeye/data.info" ]; then
  rm -rf "$data/sockeye"
  "$PEERS_DIR/sockeye/bin/sockeye-prepare-data" -s "$data/train.pieces.en" -t "$data/train.pieces.de" --shared-vocab \
    --max-seq-len 100 -o "$data/sockeye" >"$data/sockeye.log" 2>&1
fi
