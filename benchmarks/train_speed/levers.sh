#!/usr/bin/env bash
# levers.sh HEED OUT MODEL fp32|bf16 LEVER...: where the time of an update goes, and how fast it is, with each LEVER undone
# alone.
#
# HEED is a build of the commit that levers.patch names, with that patch; a lever's word there:
#   attention   attention with dropout in one pass over stacked states (as many passes as it has steps)
#   rounding    bfloat16 operands, all else float32 (LibTorch's autocast)
#   each        this one is made, not undone: a weight is rounded once an update for all replicas (in each replica's pass)
#   dropout     masks from counters, in vector code (LibTorch's dropout)
#   loss        the loss in chunks with its gradient at once (all logits, log_softmax and gather)
#   optimizer   fused Adam (some eight operations a parameter)
#   onednn      products by oneDNN (MKL; bfloat16 numbers multiplied as float32)
#   memory      freed memory kept for the next update (given back as the C library does)
#   additive    additive scores without their hidden layer in memory
#   gradient    the gradient of attention's memory as one product over all steps
# and of options: window (batches of sentences of about one length), replicas (one thread each); `none` undoes nothing.
# What operations.sh writes is in OUT/LEVER-PRECISION, speeds are in OUT/speeds. levers.py makes one file of several OUT, the
# rounds of a measurement, and tables of that.
set -euo pipefail
[ $# -ge 5 ] || { echo "usage: levers.sh HEED OUT MODEL fp32|bf16 LEVER..." >&2; exit 2; }
heed=$1 out=$2 model=$3 precision=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)

for lever in "$@"; do
  options=(--train.precision "$precision")
  case $lever in
    window) options+=(--data.shuffle-window 300) ;;
    replicas) options+=(--train.replicas 1) ;;
    none | attention | rounding | each | dropout | loss | optimizer | onednn | memory | additive | gradient) ;;
    *) echo "levers.sh: there is no lever $lever" >&2; exit 2 ;;
  esac
  HEED_UNDO=$lever "$here/operations.sh" "$heed" "$out/$lever-$precision" "$model" "${options[@]}" >/dev/null
  echo "$model $precision $lever $(cat "$out/$lever-$precision/operations.$model.speed")" | tee -a "$out/speeds"
done
