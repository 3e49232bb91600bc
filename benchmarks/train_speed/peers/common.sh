# shellcheck shell=bash disable=SC2034  # the peers' scripts, which source this, use the variables
# Shared by the scripts here; sourced.
#
#   PEERS_DIR   environments, prepared text and models (default: build/peers)
#   THREADS     threads given to every toolkit (default: one a core)
#   RESULT      file for what a training measured
#   UPDATES     updates of a training, WARMUP of them before the clock starts
#   KEEP        not empty: the model is kept in PEERS_DIR/models (OpenNMT-py, fairseq)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
export PEERS_DIR=${PEERS_DIR:-$root/build/peers}
export THREADS=${THREADS:-$(nproc)} UPDATES=${UPDATES:-20} WARMUP=${WARMUP:-5} RESULT=${RESULT:-} KEEP=${KEEP:-}
export OMP_NUM_THREADS=$THREADS MKL_NUM_THREADS=$THREADS
export PYTHONPATH=$here PYTHONWARNINGS=ignore PYTHONDONTWRITEBYTECODE=1
export TOKENIZERS_PARALLELISM=false HF_HUB_OFFLINE=1
data=$PEERS_DIR/data models=$PEERS_DIR/models
mkdir -p "$data" "$models"

# sizes MODEL: sets layers dim ffn heads and the schedule's peak and warm-up, or cell and attention
sizes() {
  case $1 in
    tiny) layers=4 dim=128 ffn=256 heads=4 rate=0.004 warmup=200 ;;
    base) layers=6 dim=512 ffn=2048 heads=8 rate=0.0007 warmup=4000 ;;
    bahdanau) cell=gru attention=bahdanau rate=0.0005 ;;
    luong) cell=lstm attention=luong rate=0.0005 ;;
    *) echo "no such model: $1 (tiny, base, bahdanau or luong)" >&2; return 2 ;;
  esac
}

lacks() {  # lacks TOOLKIT MODEL: says so and ends
  echo "$1 has no model $2" >&2
  exit 3
}
