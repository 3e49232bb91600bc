#!/usr/bin/env bash
# What each option of training brings by itself: one small Transformer on Multi30k English to German, the same number of steps
# with each option added to the same settings (levers.toml). Choose by the validation BLEU; the test set is only shown.
#
#   recipes/ablations/levers.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. SEEDS="1 2 3" are the seeds. Each training takes one thread; JOBS=2 makes
# two at once. Everything is made in runs/levers, with options in runs/levers/tries/OPTIONS; a row that is complete is not
# trained again, one that was cut off goes on. HEED_DATA=DIR takes the corpus from there (recipes/multi30k/prepare.sh),
# HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

dropout='--arch.encoder.query-key-value-dropout 0.1 --arch.decoder.query-key-value-dropout 0.1
  --arch.encoder.attention-dropout 0.1 --arch.decoder.attention-dropout 0.1 --arch.decoder.output-dropout 0.1'
dropout=$(xargs <<<"$dropout")
rows="
base
sinusoidal --arch.encoder.positions sinusoidal --arch.decoder.positions sinusoidal
inverse-sqrt --train.schedule.type inverse-sqrt
wsd --train.schedule.type wsd
ema --train.ema-decay 0.998
muon --train.optimizer.type muon
adamw --train.optimizer.type adamw
adafactor --train.optimizer.type adafactor
schedule-free --train.optimizer.type schedule-free --train.schedule.type constant
batch-growth --data.batch-growth-epochs 4
curriculum --data.curriculum-epochs 4
vocabulary-4000 --text.vocab-size 4000
vocabulary-10000 --text.vocab-size 10000
sampling --text.sampling lattice
word-dropout --arch.word-dropout 0.1
layer-dropout --arch.encoder.layer-dropout 0.1 --arch.decoder.layer-dropout 0.1
feature-dropout $dropout
query-key-norm --arch.encoder.query-key-norm rms --arch.decoder.query-key-norm rms
zero-branches --arch.initialization.zero-branches true
r-drop --train.r-drop 3
r-drop-late --train.r-drop 3 --train.r-drop-start 600
"
seeds=1
runs=runs/levers results=recipes/ablations/results
common=(--config recipes/multi30k/transformer-tiny.toml recipes/ablations/levers.toml)
begin "$@"
use_multi30k

compare_with_seeds | tee "$runs/table.md"
keep_table "$runs/seeds.md"
