#!/usr/bin/env bash
# pytorch.sh tiny|base: a timed training with PyTorch's own Transformer (RESULT, UPDATES, WARMUP, THREADS: see common.sh),
# on DEVICE (cpu or cuda) in PRECISION (fp32 or bf16), with updates of about UPDATE_TOKENS (4000)
. "$(dirname "$0")/common.sh"
case $1 in bahdanau | luong) lacks PyTorch "$1" ;; esac
sizes "$1"
exec "$PEERS_DIR/pytorch/bin/python" "$here/plain_pytorch.py" --data "$data" --layers "$layers" --width "$dim" \
  --feed-forward "$ffn" --heads "$heads" --rate "$rate" --warmup "$warmup" --updates "$UPDATES" \
  --update-tokens "${UPDATE_TOKENS:-4000}" --device "${DEVICE:-cpu}" --precision "${PRECISION:-fp32}"
