#!/usr/bin/env bash
# The systems of Luong et al. 2015 (https://arxiv.org/abs/1508.04025, table 1) in the paper's size on the paper's task,
# English to German of WMT 2014.
#
#   recipes/luong2015/wmt14.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below). SEEDS=1 are the seeds. Everything is made in runs/luong2015-wmt14, with options in
# runs/luong2015-wmt14/tries/OPTIONS; what is complete is not made again, what was cut off goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

after='--arch.decoder.attention after'
# The score of the paper's global attention is location; local attention has windows of 10 positions to each side.
rows="
none --arch.decoder.attention none --arch.decoder.readout tanh
global-location $after --arch.decoder.score location --arch.decoder.max-source 256 --arch.decoder.input-feeding false
global-location-feeding $after --arch.decoder.score location --arch.decoder.max-source 256
global-dot-feeding $after --arch.decoder.score dot
local-m-general-feeding $after --arch.decoder.score general --arch.decoder.score-scale none --arch.decoder.window local-m
local-p-dot $after --arch.decoder.score dot --arch.decoder.window local-p --arch.decoder.input-feeding false
local-p-general-feeding $after --arch.decoder.score general --arch.decoder.score-scale none --arch.decoder.window local-p
"
seeds=1
runs=runs/luong2015-wmt14 results=runs/luong2015-wmt14/results
text=runs/wmt14/de source=en target=de train=train valid=valid test=newstest2014
metric='-m bleu -tok none'
common=(--config recipes/luong2015/wmt14.toml)
begin "$@"
recipes/wmt14/prepare.sh de "$text"

compare "${names[@]}"
