#!/usr/bin/env bash
# sockeye.sh tiny|base: a timed training with Sockeye (RESULT, UPDATES, WARMUP, THREADS: see common.sh)
. "$(dirname "$0")/common.sh"
sizes "$1"
[ -z "${cell:-}" ] || lacks sockeye "$1"
out=$models/sockeye.$1
rm -rf "$out"
# its schedule is rate / sqrt(max(update, warm-up)); it validates at the end, which a few sentences make short
exec "$PEERS_DIR/sockeye/bin/python" "$here/hook_sockeye.py" \
  -d "$data/sockeye" -vs "$data/small.pieces.en" -vt "$data/small.pieces.de" -o "$out" --overwrite-output --use-cpu \
  --shared-vocab --weight-tying-type src_trg_softmax --encoder transformer --decoder transformer \
  --num-layers "$layers:$layers" --transformer-model-size "$dim" --transformer-attention-heads "$heads" \
  --transformer-feed-forward-num-hidden "$ffn" --transformer-dropout-attention 0.1 --transformer-dropout-act 0.1 \
  --transformer-dropout-prepost 0.1 --max-seq-len 100 --batch-type word --batch-size 4096 \
  --label-smoothing 0.1 --optimizer adam --optimizer-betas 0.9:0.98 --gradient-clipping-type norm \
  --gradient-clipping-threshold 1.0 --learning-rate-scheduler-type inv-sqrt-decay \
  --initial-learning-rate "$(awk "BEGIN { print $rate * sqrt($warmup) }")" --learning-rate-warmup "$warmup" \
  --max-updates "$UPDATES" --checkpoint-interval "$UPDATES" --decode-and-evaluate 0 --seed 42 --no-logfile
