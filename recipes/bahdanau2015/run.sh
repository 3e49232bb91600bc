#!/usr/bin/env bash
# The comparison of Bahdanau et al. 2015 (https://arxiv.org/abs/1409.0473, section 4) on Multi30k English to German: an
# encoder-decoder that knows the source by one vector alone and one that searches through it with attention, each trained
# on all sentences and on short ones only, with two seeds; one table, and the score against sentence length as a figure.
# A fifth row has what came after the paper: R-Drop.
#
#   recipes/bahdanau2015/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. SEEDS="1 2" are the seeds. Each training takes one thread;
# JOBS=2 makes two at once. Everything is made in runs/bahdanau2015, with options in runs/bahdanau2015/tries/OPTIONS; a run
# that is complete is not made again, one that was cut off goes on. HEED_DATA=DIR takes the corpus from there
# (recipes/multi30k/prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

short='--data.max-source-length 15 --data.max-target-length 15'
rows="
search
encdec --arch.decoder.attention none
search-short $short
encdec-short --arch.decoder.attention none $short
search-r-drop --train.r-drop 3 --arch.dropout 0.3
"
seeds='1 2'
runs=runs/bahdanau2015 results=recipes/bahdanau2015/results
common=(--config recipes/bahdanau2015/bahdanau2015.toml)
begin "$@"
use_multi30k

compare "${names[@]}"
keep_text search-{1,2} search-r-drop-{1,2}
