#!/usr/bin/env bash
# What comes next in a series: sunspots of 309 years, carbon dioxide at Mauna Loa month by month, and the chaos of Mackey
# and Glass. A recurrent network, one whose states are pooled by attention, and a Transformer; beside persistence, the season
# before and the best linear function.
#
#   recipes/series/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained, one after the other, each on three series with three
# seeds (SEEDS='1 2 3'). Options behind -- go to every training, such as --train.max-steps 20 for a try. Each training
# takes one thread; JOBS=2 makes two at once. Everything is made in runs/series, with options in runs/series/tries/OPTIONS; a
# training that is complete is not made again, one that was cut off goes on. statsmodels, which has the first two series,
# comes from PyPI, into build/tools. HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
. cmake/python_tool.sh

rows='
gru --arch.encoder.type rnn --arch.encoder.hidden 64 --arch.encoder.direction forward --arch.head.pooling last
gru-attention --arch.encoder.type rnn --arch.encoder.hidden 64
transformer --arch.encoder.layers 2 --arch.encoder.feed-forward.hidden 128 --arch.head.pooling last
'
series=(sunspots co2 mackey-glass) seeds='1 2 3'
runs=runs/series results=recipes/series/results data=runs/series/data
source=npy target=next train=train valid=valid test=test reads=source-vectors writes=predict
begin "$@"
python=$(python_packages numpy==2.4.6 statsmodels==0.15.0)
[ -f "$data/mackey-glass/linear.next" ] || "$python" recipes/series/prepare.py "$data"

options_of() {  # options_of SERIES: few and noisy numbers need dropout, many ones time
  case $1 in
    sunspots) echo --arch.dropout 0.2 --train.max-steps 400 ;;
    co2) echo --arch.dropout 0 --train.max-steps 600 ;;
    mackey-glass) echo --arch.dropout 0 --train.max-steps 1000 ;;
  esac
}

error() {  # error SERIES FILE METRIC
  "$heed" evaluate --reference "$data/$1/$test.next" --metric "$3" --decimals 7 "$2" | sed 's/^[^=]*= *\([0-9.]*\).*/\1/'
}
errors() {  # errors SERIES NAME METRIC: of all seeds, the mean and the lowest and highest
  local seed
  for seed in $SEEDS; do error "$1" "$runs/$2-$1-$seed/$test.next" "$3"; done | awk '
    { sum += $1; low = NR == 1 || $1 < low ? $1 : low; high = $1 > high ? $1 : high }
    END { if (NR > 1) printf "%.4g (%.4g to %.4g)", sum / NR, low, high; else printf "%.4g", sum / NR }'
}

all=()
for one in "${series[@]}"; do
  text=$data/$one
  read -ra common <<<"--config recipes/series/series.toml $(options_of "$one")"
  for name in "${names[@]}"; do
    for seed in $SEEDS; do
      all+=("$runs/$name-$one-$seed")
      system_beside "$name" "$runs/$name-$one-$seed" --seed "$seed"
    done
  done
done
systems_complete "${all[@]}"
{
  for metric in mse mae; do
    printf '| %s |%s\n|---|%s\n' "$metric" "$(printf ' %s |' "${series[@]}")" "$(printf -- '---|%.0s' "${series[@]}")"
    for name in persistence seasonal linear; do
      printf '| %s |%s\n' "$name" "$(for one in "${series[@]}"; do
        printf ' %.4g |' "$(error "$one" "$data/$one/$name.next" $metric)"
      done)"
    done
    for name in "${names[@]}"; do
      printf '| %s |%s\n' "$name" "$(for one in "${series[@]}"; do printf ' %s |' "$(errors "$one" "$name" $metric)"; done)"
    done
    echo
  done
  printf '| processor seconds |%s\n|---|%s\n' "$(printf ' %s |' "${series[@]}")" "$(printf -- '---|%.0s' "${series[@]}")"
  for name in "${names[@]}"; do
    printf '| %s |%s\n' "$name" "$(for one in "${series[@]}"; do
      printf ' %.0f |' "$(number_in_log "$runs/$name-$one-${SEEDS%% *}" finish processor_seconds)"
    done)"
  done
} | tee "$runs/table.md"

{
  printf '| run | mse | mae | processor seconds |\n|---|---|---|---|\n'
  for one in "${series[@]}"; do
    for name in persistence seasonal linear; do
      file=$data/$one/$name.next
      echo "| $name-$one | $(error "$one" "$file" mse) | $(error "$one" "$file" mae) | - |"
    done
    for run in "${names[@]/%/-$one}"; do
      for seed in $SEEDS; do
        file=$runs/$run-$seed/$test.next
        echo "| $run-$seed | $(error "$one" "$file" mse) | $(error "$one" "$file" mae) |" \
          "$(number_in_log "$runs/$run-$seed" finish processor_seconds) |"
      done
    done
  done
} >"$runs/seeds.md"
keep_table "$runs/seeds.md"
keep_text gru-sunspots-{1,2,3}

# What is told of the test part, and what decided, with the first seed.
first=${SEEDS%% *}
for one in "${series[@]}"; do
  [ ! -d "$runs/gru-attention-$one-$first" ] || "$heed" predict --model "$runs/gru-attention-$one-$first/model" \
    --source-vectors "$data/$one/$test.npy" --format json >"$runs/gru-attention-$one-$first/attention.json"
done
"$python" recipes/series/picture.py "$data" "$runs" "$first" "${names[@]}"
keep_figures "$runs/forecast.svg"
