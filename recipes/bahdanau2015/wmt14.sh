#!/usr/bin/env bash
# The systems of Bahdanau et al. 2015 (https://arxiv.org/abs/1409.0473) in the paper's size on the paper's task, English to
# French of WMT 2014: with and without attention, on sentences of at most 50 or 30 words.
#
#   recipes/bahdanau2015/wmt14.sh [NAME...] [-- heed train options]
#
# NAME picks rows: search-50, search-30, encdec-50, encdec-30. SEEDS=1 are the seeds. Everything is made in
# runs/bahdanau2015-wmt14, with options in runs/bahdanau2015-wmt14/tries/OPTIONS; what is complete is not made again, what
# was cut off goes on. The paper chose 348 million words of the corpora by their likeness to news; here all are used, or
# those named in CORPORA (recipes/wmt14/prepare.sh). All rows have the 288,000 steps that the paper gave search-50; its
# table 2 has 471,000, 600,000 and 846,000 for the others (-- --train.max-steps N).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

limit() { echo "--data.max-source-length $1 --data.max-target-length $1"; }
rows="
search-50 $(limit 50)
search-30 $(limit 30)
encdec-50 $(limit 50) --arch.decoder.attention none
encdec-30 $(limit 30) --arch.decoder.attention none
"
seeds=1
runs=runs/bahdanau2015-wmt14 results=runs/bahdanau2015-wmt14/results
text=runs/wmt14/fr source=en target=fr train=train valid=valid test=newstest2014
metric='-m bleu -tok none'
common=(--config recipes/bahdanau2015/wmt14.toml)
begin "$@"
recipes/wmt14/prepare.sh fr "$text"

compare "${names[@]}"
