#!/usr/bin/env bash
# marian.sh tiny|base: a timed training with Marian (RESULT, UPDATES, WARMUP, THREADS: see common.sh). Its recurrent models
# have other cells and attention than those of this benchmark.
. "$(dirname "$0")/common.sh"
sizes "$1"
[ -z "${cell:-}" ] || lacks Marian "$1"
out=$models/marian.$1
rm -rf "$out"
mkdir -p "$out"
{
  printf '</s>: 0\n<unk>: 1\n'
  tail -n +6 "$data/vocabulary.tokens" | awk '{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); printf "\"%s\": %d\n", $0, NR + 1 }'
} >"$out/vocabulary.yml"
arguments=(--type transformer --model "$out/model.npz" --train-sets "$data/train.pieces.en" "$data/train.pieces.de"
  --vocabs "$out/vocabulary.yml" "$out/vocabulary.yml" --tied-embeddings-all --cpu-threads "$THREADS" --sync-sgd
  --mini-batch-words 4000 --workspace 2000 --maxi-batch 1000 --shuffle-in-ram --max-length 256
  --dim-emb "$dim" --transformer-dim-ffn "$ffn" --transformer-heads "$heads" --enc-depth "$layers" --dec-depth "$layers"
  --transformer-preprocess n --transformer-postprocess da --transformer-postprocess-top n
  --transformer-dropout 0.1 --transformer-dropout-attention 0.1 --label-smoothing 0.1
  --optimizer-params 0.9 0.98 1e-09 --clip-norm 1 --learn-rate "$rate" --lr-warmup "${warmup}u" --lr-decay-inv-sqrt "${warmup}u"
  --after "${UPDATES}u" --disp-freq 1u --save-freq 1000000u --seed 42 --overwrite)
"$PEERS_DIR/marian/bin/pymarian" train "${arguments[@]}" 2>&1 | tee "$out/log"
exec "$PEERS_DIR/marian/bin/python" "$here/read_marian.py" "$out" "$data"
