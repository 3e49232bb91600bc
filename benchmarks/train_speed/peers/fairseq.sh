#!/usr/bin/env bash
# fairseq.sh tiny|base|luong: a timed training with fairseq (RESULT, UPDATES, WARMUP, THREADS, KEEP: see common.sh)
. "$(dirname "$0")/common.sh"
[ "$1" != bahdanau ] || lacks fairseq "$1"
sizes "$1"
out=$models/fairseq.$1
rm -rf "$out"
keep=(--no-save)
[ -z "$KEEP" ] || keep=(--no-epoch-checkpoints --save-interval 1000 --no-save-optimizer-state)
arguments=("$data/fairseq" --source-lang en --target-lang de --task translation --save-dir "$out" --cpu
  --max-tokens 4700 --required-batch-size-multiple 1 --num-workers 0 --max-update "$UPDATES" --max-epoch 1000
  --optimizer adam --adam-betas "(0.9, 0.98)" --clip-norm 1.0 --lr "$rate"
  --criterion label_smoothed_cross_entropy --label-smoothing 0.1 --disable-validation "${keep[@]}"
  --log-format simple --log-interval 50 --seed 42)
if [ "$1" = luong ]; then
  arguments+=(--arch lstm --dropout 0.2 --lr-scheduler fixed
    --encoder-embed-dim 256 --encoder-hidden-size 256 --encoder-bidirectional --encoder-layers 1
    --decoder-embed-dim 256 --decoder-hidden-size 512 --decoder-layers 1 --decoder-out-embed-dim 256)
else
  arguments+=(--arch transformer --share-all-embeddings --dropout 0.1 --attention-dropout 0.1
    --encoder-layers "$layers" --decoder-layers "$layers" --encoder-normalize-before --decoder-normalize-before
    --encoder-embed-dim "$dim" --decoder-embed-dim "$dim" --encoder-ffn-embed-dim "$ffn" --decoder-ffn-embed-dim "$ffn"
    --encoder-attention-heads "$heads" --decoder-attention-heads "$heads"
    --lr-scheduler inverse_sqrt --warmup-updates "$warmup" --warmup-init-lr 1e-7)
fi
exec "$PEERS_DIR/fairseq/bin/python" "$here/hook_fairseq.py" train "${arguments[@]}"
