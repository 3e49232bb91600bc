#!/usr/bin/env bash
# One text shared by several processes, and one training by two machines. With the quickstart's model and text:
#
#   shards      `heed translate --shard` under xargs: the parts joined are the whole, to the byte
#   spark       PySpark's pipe over `heed translate` and `heed score`, in local mode with two executors' threads: order
#               kept, a task that fails is done again, every line comes once
#   machines    torchrun on two machines, which are network namespaces here: the model of one process, to the byte
#
#   recipes/scale/run.sh                 # all three
#   recipes/scale/run.sh shards spark    # these
#
# spark needs Java 17 or newer and the package pyspark, which is installed into build/tools; machines needs root and
# iproute2. What cannot run here is skipped, with the reason. Everything is made in runs/scale; HEED_PRESET names the build
# (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
. cmake/python_tool.sh

help_if_asked "$@"
preset=${HEED_PRESET:-release}
[ $# -gt 0 ] || set -- shards spark machines
recipes/quickstart/run.sh >&2
heed=$PWD/build/$preset/bin/heed
model=$PWD/runs/quickstart/model
text=$PWD/data/quickstart
runs=$PWD/runs/scale
rm -rf "$runs"
mkdir -p "$runs"

say() { printf '%-9s %s\n' "$1" "$2"; }
# same WHAT FILE FILE: ends the recipe unless the files are equal.
same() { cmp -s "$2" "$3" || { echo "scale: $1: $2 and $3 differ" >&2; exit 1; }; }

# near WHAT FILE FILE: the same for numbers, of which the last digits may differ: what is scored together decides about the
# rounding.
near() {
  paste "$2" "$3" | awk '{ far = $1 - $2; if (NF != 2 || far > 2e-5 || far < -2e-5) exit 1 }' ||
    { echo "scale: $1: $2 and $3 differ" >&2; exit 1; }
}

cat "$text"/{test,dev}.en >"$runs/source"
cat "$text"/{test,dev}.de >"$runs/target"
paste "$runs/source" "$runs/target" >"$runs/pairs"
lines=$(wc -l <"$runs/source")
"$heed" translate --model "$model" --input "$runs/source" --output "$runs/whole"
"$heed" score --model "$model" --pairs "$runs/pairs" >"$runs/scores" 2>/dev/null

shards() {
  seq 7 | xargs -P 2 -I{} "$heed" translate --model "$model" --threads 1 --input "$runs/source" --shard {}/7 \
    --output "$runs/shard.{}"
  cat "$runs"/shard.{1..7} >"$runs/joined"
  same shards "$runs/whole" "$runs/joined"
  say shards "$lines lines in 7 parts, two processes at a time: the bytes of one process"
}

spark() {
  command -v java >/dev/null || { say spark "skipped: there is no java (openjdk-17-jre-headless)"; return; }
  local python
  python=$(python_packages pyspark==4.0.1)
  # spark_pipe INPUT OUTPUT COMMAND...
  spark_pipe() { "$python" recipes/scale/spark_pipe.py "$@" 2>"$runs/spark.log" || { cat "$runs/spark.log" >&2; exit 1; }; }
  spark_pipe "$runs/source" "$runs/spark.translations" "$heed" translate --model "$model" --threads 1
  same "heed translate under Spark" "$runs/whole" "$runs/spark.translations"
  spark_pipe "$runs/pairs" "$runs/spark.scores" "$heed" score --model "$model" --pairs - --threads 1
  near "heed score under Spark" "$runs/scores" "$runs/spark.scores"
  # The first process of all fails half-way: Spark does its task again.
  spark_pipe "$runs/source" "$runs/spark.again" recipes/scale/fail_once.sh "$runs/failed" "$heed" translate \
    --model "$model" --threads 1
  [ -f "$runs/failed" ] || { echo "scale: spark: no task failed" >&2; exit 1; }
  same "a task done again" "$runs/whole" "$runs/spark.again"
  say spark "$lines lines in 6 tasks: the translations of one process, also where a task failed once, and its scores"
}

machines() {
  if [ "$(id -u)" -ne 0 ] || ! command -v ip >/dev/null; then
    say machines "skipped: needs root and iproute2"
    return
  fi
  local torchrun
  torchrun=$(ls build/venv/bin/torchrun 2>/dev/null || command -v torchrun) ||
    { say machines "skipped: there is no torchrun (it comes with PyTorch)"; return; }
  local train=("$heed" train --source "$text/train.en" --target "$text/train.de" --threads 1 --data.total-micro-batches 4
    --train.max-steps 20 --train.save-every 10 --log.every 10)
  "${train[@]}" --model "$runs/one" 2>"$runs/one.log"
  trap 'ip netns del heed-a 2>/dev/null; ip netns del heed-b 2>/dev/null' RETURN EXIT
  ip netns add heed-a
  ip netns add heed-b
  ip link add name heed0 netns heed-a type veth peer name heed0 netns heed-b
  local machine number=1
  for machine in a b; do
    ip -n "heed-$machine" address add "10.77.0.$number/24" dev heed0
    ip -n "heed-$machine" link set heed0 up
    ip -n "heed-$machine" link set lo up
    number=2
  done
  local node=0
  for machine in a b; do
    ip netns exec "heed-$machine" "$torchrun" --no-python --nnodes 2 --nproc-per-node 2 --node-rank $node \
      --master-addr 10.77.0.1 --master-port 29400 "${train[@]}" --model "$runs/four" >"$runs/machine.$machine.log" 2>&1 &
    node=1
  done
  local failed=
  wait -n || failed=1
  wait -n || failed=1
  [ -z "$failed" ] || { cat "$runs"/machine.*.log >&2; exit 1; }
  same machines "$runs/one/model.safetensors" "$runs/four/model.safetensors"
  say machines "a training by two machines of two ranks: the bytes of one process"
}

for part in "$@"; do
  case $part in
    shards | spark | machines) "$part" ;;
    *) echo "run.sh: no part $part; the parts are shards spark machines" >&2; exit 2 ;;
  esac
done
