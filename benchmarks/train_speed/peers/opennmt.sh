#!/usr/bin/env bash
# opennmt.sh tiny|base|bahdanau|luong: a timed training with OpenNMT-py (RESULT, UPDATES, WARMUP, THREADS: see common.sh)
. "$(dirname "$0")/common.sh"
sizes "$1"
out=$models/opennmt.$1
rm -rf "$out"
mkdir -p "$out"

recurrent() {
  [ "$attention" = luong ] && score=general || score=mlp
  cat <<Y
encoder_type: brnn
decoder_type: rnn
rnn_type: ${cell^^}
layers: 1
hidden_size: 512
word_vec_size: 256
global_attention: $score
input_feed: 1
dropout: [0.2]
learning_rate: $rate
Y
}

transformer() {  # noam's factor is that of the peak
  cat <<Y
encoder_type: transformer
decoder_type: transformer
position_encoding: true
layers: $layers
heads: $heads
hidden_size: $dim
word_vec_size: $dim
transformer_ff: $ffn
share_decoder_embeddings: true
dropout: [0.1]
attention_dropout: [0.1]
decay_method: noam
warmup_steps: $warmup
learning_rate: $(awk "BEGIN { print $rate * sqrt($dim * $warmup) }")
Y
}

cat >"$out/config.yaml" <<Y
data:
  corpus_1:
    path_src: $data/train.pieces.en
    path_tgt: $data/train.pieces.de
    transforms: []
src_vocab: $data/vocabulary.opennmt
tgt_vocab: $data/vocabulary.opennmt
share_vocab: true
src_vocab_size: 8000
tgt_vocab_size: 8000
vocab_size_multiple: 1
save_model: $out/model
save_data: $out/data
overwrite: true
bucket_size: 32768
prefetch_factor: 400
num_workers: 0
train_steps: $UPDATES
save_checkpoint_steps: 1000000
valid_steps: 1000000
report_every: 50
batch_type: tokens
batch_size: 4700
normalization: tokens
accum_count: [1]
optim: adam
adam_beta2: 0.98
max_grad_norm: 1.0
label_smoothing: 0.1
param_init: 0
param_init_glorot: true
seed: 42
share_embeddings: true
$(if [ -n "${cell:-}" ]; then recurrent; else transformer; fi)
Y
exec "$PEERS_DIR/onmt/bin/python" "$here/hook_opennmt.py" -config "$out/config.yaml"
