#!/usr/bin/env bash
# joeynmt.sh tiny|base|bahdanau|luong: a timed training with JoeyNMT (RESULT, UPDATES, WARMUP, THREADS: see common.sh)
. "$(dirname "$0")/common.sh"
sizes "$1"
out=$models/joeynmt.$1
rm -rf "$out"

recurrent() {
  local embeddings="embeddings: {embedding_dim: 256, dropout: 0.2}"
  cat <<Y
  tied_embeddings: True
  tied_softmax: False
  encoder: {type: recurrent, rnn_type: $cell, $embeddings, hidden_size: 256, bidirectional: True, num_layers: 1, dropout: 0.2}
  decoder: {type: recurrent, rnn_type: $cell, $embeddings, hidden_size: 512, num_layers: 1, dropout: 0.2,
            hidden_dropout: 0.2, attention: $attention, init_hidden: bridge, input_feeding: True}
Y
}

transformer() {
  local stack="type: transformer, num_layers: $layers, num_heads: $heads, hidden_size: $dim, ff_size: $ffn, dropout: 0.1"
  stack+=", layer_norm: pre, embeddings: {embedding_dim: $dim, scale: True, dropout: 0.1}"
  cat <<Y
  initializer: xavier_uniform
  embed_initializer: xavier_uniform
  tied_embeddings: True
  tied_softmax: True
  encoder: {$stack}
  decoder: {$stack}
Y
}

cat >"$out.yaml" <<Y
name: peer
joeynmt_version: 2.3.0
model_dir: $out
use_cuda: False
fp16: False
random_seed: 42
num_workers: 0
data:
  train: $data/train.pieces
  dev: $data/small.pieces
  test: $data/small.pieces
  dataset_type: plain
  src: {lang: en, level: word, max_length: 100, lowercase: False, voc_file: $data/vocabulary.joeynmt}
  trg: {lang: de, level: word, max_length: 100, lowercase: False, voc_file: $data/vocabulary.joeynmt}
  special_symbols: {unk_token: <unk>, unk_id: 0, pad_token: <pad>, pad_id: 1, bos_token: <s>, bos_id: 2, eos_token: </s>, eos_id: 3}
testing: {beam_size: 1, batch_size: 64, batch_type: sentence, max_output_length: 100, eval_metrics: []}
training:
  optimizer: adam
  adam_betas: [0.9, 0.98]
  normalization: tokens
  learning_rate: $rate
  learning_rate_min: 0.0000000001
  learning_rate_warmup: ${warmup:-4000}
  scheduling: warmupinversesquareroot
  clip_grad_norm: 1.0
  label_smoothing: 0.1
  loss: crossentropy
  batch_size: 9400  # padded, of both sides
  batch_type: token
  batch_multiplier: 1
  early_stopping_metric: loss
  epochs: 1000
  updates: $UPDATES
  logging_freq: 100
  validation_freq: 100000
  model_dir: $out
  overwrite: True
  shuffle: True
  print_valid_sents: []
  keep_best_ckpts: 1
model:
$(if [ -n "${cell:-}" ]; then recurrent; else transformer; fi)
Y
exec "$PEERS_DIR/joey/bin/python" "$here/hook_joeynmt.py" "$out.yaml"
