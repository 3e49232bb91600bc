#!/usr/bin/env bash
# The comparison of Luong et al. 2015 (https://arxiv.org/abs/1508.04025, section 4) on Multi30k English to German: an LSTM
# encoder-decoder without attention, the source as it stands or reversed, with weights that are not learned, with every score
# function, with local attention, without input feeding and with two layers a side, each trained on the same data for as many
# steps with two seeds; one table and the score against sentence length as a figure.
#
#   recipes/luong2015/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other. Options behind -- go to every
# training, such as --train.max-steps 20 for a try. SEEDS="1 2" are the seeds. Each training takes one thread;
# JOBS=2 makes two at once. Everything is made in runs/luong2015, with options in runs/luong2015/tries/OPTIONS; a run
# that is complete is not made again, one that was cut off goes on. HEED_DATA=DIR takes the corpus from there
# (recipes/multi30k/prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

# Luong's concat is the additive score. Without attention or input feeding the states are wider, in two layers narrower, for
# as many parameters.
rows='
none --arch.decoder.attention none --arch.decoder.readout tanh --arch.encoder.hidden 288 --arch.decoder.hidden 288
none-reversed --arch.decoder.attention none --arch.decoder.readout tanh --arch.encoder.hidden 288 --arch.decoder.hidden 288 --arch.encoder.direction backward
uniform --arch.decoder.score uniform
idf --arch.decoder.score idf
tf-idf --arch.decoder.score tf-idf
location --arch.decoder.score location --arch.decoder.max-source 100 --data.max-source-length 99
dot --arch.decoder.score dot
scaled-dot --arch.decoder.score scaled-dot
cosine --arch.decoder.score cosine
general --arch.decoder.score general --arch.decoder.score-scale none
scaled-general --arch.decoder.score general --arch.decoder.score-scale fixed
learned-general --arch.decoder.score general --arch.decoder.score-scale learned
additive --arch.decoder.score additive
normalized-additive --arch.decoder.score additive --arch.decoder.normalized true
local-m --arch.decoder.score general --arch.decoder.score-scale fixed --arch.decoder.window local-m
local-p --arch.decoder.score general --arch.decoder.score-scale fixed --arch.decoder.window local-p
local-p-dot --arch.decoder.score dot --arch.decoder.window local-p
no-feeding --arch.decoder.score general --arch.decoder.score-scale fixed --arch.decoder.input-feeding false --arch.encoder.hidden 288 --arch.decoder.hidden 288
stacked --arch.decoder.score general --arch.decoder.score-scale fixed --arch.encoder.layers 2 --arch.decoder.layers 2 --arch.encoder.hidden 184 --arch.decoder.hidden 184
'
seeds='1 2'
runs=runs/luong2015 results=recipes/luong2015/results
common=(--config recipes/luong2015/luong2015.toml)
begin "$@"
use_multi30k

compare none dot general additive
