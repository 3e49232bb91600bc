# shellcheck shell=bash disable=SC2154  # a recipe sets what is not assigned here
#
# For recipes that train several systems and compare them, one row of a table each; other recipes take help_if_asked and
# folder_of_runs from here. A recipe sources this file, then sets
#
#   rows                    lines of a name and its `heed train` options
#   runs                    the folder where everything is made; git ignores it
#   results                 the folder of what is kept with the recipe, which is little: metrics.tsv with the numbers of the
#                           tables in its README, the figures that it shows, and the test set's translations by a few rows
#                           that the project's README quotes
#   text, source, target    the folder of the text, and its languages
#   train, valid, test      the names of its parts
#   metric                  options of `heed evaluate` for the score of its tables
#   common                  an array: options of every training
#   reads                   source-vectors where the sources are files of vectors, whose ending is $source; likewise
#                           source-images, source-audio
#   beside                  "OPTION ENDING" where a source has two parts: the option of the second and the ending of its
#                           files, such as "source-images list" for questions and their pictures
#   writes                  predict where the systems give labels or numbers instead of text
#   altered                 VARIABLE=VALUE if the user gave a variable of the recipe another value than its own
#   seeds                   for compare: the seeds, apart by spaces
#   bucket, longest         for compare: lengths that share a row and point of the score against sentence length, and the
#                           length beyond which all do
#
# of which those from `reads` on may be missing, and `metric` where `score` is not called, and calls `begin "$@"` with the
# arguments [NAME...] [-- heed train options]; use_multi30k sets those of the text. The user may set JOBS, how many systems
# are trained at once, SEEDS, other seeds, and HEED_PRESET, the build.

unset reads beside writes altered seeds bucket longest  # not what the user's environment happens to hold

# Sets `names` (the rows asked for, or all), `more` (the options behind --) and `heed` (the program, built if it is not), puts
# a try into a folder of its own below $runs and makes the folder.
begin() {
  help_if_asked "$@"
  names=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    # shellcheck disable=SC2046  # all names on one line
    grep -qxF -- "$1" <<<"$(row_names)" || { echo "run.sh: no row $1; the rows are" $(row_names) >&2; exit 2; }
    names+=("$1")
    shift
  done
  [ $# -eq 0 ] || shift
  more=("$@")
  [[ ${JOBS:-1} =~ ^[1-9][0-9]*$ ]] || { echo "run.sh: JOBS must be a whole number above 0, found $JOBS" >&2; exit 2; }
  [ ${#names[@]} -gt 0 ] || read -ra names <<<"$(row_names | tr '\n' ' ')"
  local preset=${HEED_PRESET:-release}
  cmake/bootstrap.sh "$preset"
  heed=build/$preset/bin/heed
  SEEDS=$(xargs <<<"${SEEDS:-${seeds:-}}")  # one space between two
  runs=$(folder_of_runs "$runs")
  mkdir -p "$runs"
}

# help_if_asked ARGUMENTS...: prints the comment at the script's beginning and ends it if the first argument is --help.
help_if_asked() {
  case ${1:-} in -h | --help) ;; *) return 0 ;; esac
  (cd "$OLDPWD" && sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0")  # the script has changed the folder once
  exit
}

# A try is a run with options behind -- or with a variable altered. It has a folder of its own, so that it neither counts as
# the recipe's own run nor is kept with the recipe.
is_try() { [ ${#more[@]} -gt 0 ] || [ -n "${altered:-}" ]; }
folder_of_runs() {  # folder_of_runs FOLDER: FOLDER itself, or for a try FOLDER/tries/NAME, such as train.max-steps=20
  local other=(${altered:+"$altered"} "${more[@]}") name
  is_try || { echo "$1"; return; }
  name=${other[*]}
  name=${name// --/+}
  name=${name#--}
  name=${name// /=}
  if [ ${#name} -gt 100 ] || [[ $name == *[^A-Za-z0-9.+=_-]* ]]; then
    name=${name//[^A-Za-z0-9.+=_-]/_}
    name=${name:0:100}-$(cksum <<<"${other[*]}" | cut -d' ' -f1)
  fi
  echo "run.sh: a try, made in $1/tries/$name" >&2
  echo "$1/tries/$name"
}

# Multi30k English to German, the published lowercased, normalized, tokenized text, scored as it is.
use_multi30k() {
  recipes/multi30k/prepare.sh runs/multi30k/data
  text=runs/multi30k/data/tok source=en target=de train=train valid=val test=test_2016_flickr
  metric='-m bleu -tok none'
  bucket=4 longest=20  # 54 lines of the test set are longer, 2 of them by more than 10 words
}

row_names() { sed '/^$/d; s/ .*//' <<<"$rows"; }
row_options() { sed -n "s/^$1 //p" <<<"$rows"; }  # row_options NAME

# system NAME RUN OPTIONS...: trains row NAME in RUN/model, then translates the validation and the test text into RUN, or
# predicts. A run that is complete is not made again; one that was cut off goes on.
system() {
  local name=$1 run=$2 kind=${reads:-source} split options also=()
  shift 2
  [ ! -f "$run/$test.$target" ] || return 0
  mkdir -p "$run"
  read -ra options <<<"$(row_options "$name")"
  [ -z "${beside:-}" ] ||
    also=(--"${beside% *}" "$text/$train.${beside#* }" --valid-"${beside% *}" "$text/$valid.${beside#* }")
  "$heed" train "${common[@]}" --model "$run/model" \
    --"$kind" "$text/$train.$source" --target "$text/$train.$target" \
    --valid-"$kind" "$text/$valid.$source" --valid-target "$text/$valid.$target" \
    "${also[@]}" "${options[@]}" "${more[@]}" "$@"
  for split in "$valid" "$test"; do write "$run" "$split"; done
}

# write RUN SPLIT [FILE]: what RUN's model makes of a part of the text, as FILE (default: RUN/SPLIT.$target).
write() {
  local input=--input also=()
  [ -z "${reads:-}" ] || input=--$reads
  [ -z "${beside:-}" ] || also=(--"${beside% *}" "$text/$2.${beside#* }")
  "$heed" "${writes:-translate}" --model "$1/model" "$input" "$text/$2.$source" "${also[@]}" \
    --output "${3:-$1/$2.$target}"
}

# system_beside NAME RUN OPTIONS...: the same beside others, $JOBS at most (default: 1, which is system() itself), with its
# messages in the file RUN/log. systems_complete RUN... waits for all.
system_beside() {
  if [ "${JOBS:-1}" -eq 1 ]; then system "$@"; return; fi
  while [ "$(jobs -pr | wc -l)" -ge "$JOBS" ]; do wait -n || true; done  # systems_complete sees what failed
  mkdir -p "$2"
  echo "run.sh: training $2; messages are in $2/log" >&2
  trap stop_systems INT TERM
  set -m  # each in a process group of its own, which stop_systems can name
  system "$@" 2>>"$2/log" &
  set +m
}
stop_systems() {  # a training that is told to stop saves where it is
  local group
  for group in $(jobs -p); do kill -TERM -- "-$group" || true; done
  wait
  exit 130
}
systems_complete() {
  local run
  wait
  for run in "$@"; do
    [ -f "$run/$test.$target" ] || { echo "run.sh: $run is not complete; see $run/log" >&2; exit 1; }
  done
}

# Facts of a complete run.
score() {  # score RUN SPLIT [DIGITS]
  local known=()
  [[ $metric != *'-tok none' ]] || known=(--force)  # no warning that the text looks tokenized: it is
  # shellcheck disable=SC2086  # options
  "$heed" evaluate "$text/$2.$target" -i "$1/$2.$target" $metric "${known[@]}" -b -w "${3:-1}" -f text
}
processor_minutes() { number_in_log "$1" finish processor_seconds | awk '{ printf "%.1f", $1 / 60 }'; }  # of training
number_in_log() {  # number_in_log RUN EVENT KEY[|KEY]: the last such number of the training's metrics.jsonl
  sed -En "s/.*\"type\":\"$2\".*\"($3)\":([-0-9.e+]*).*/\2/p" "$1/model/metrics.jsonl" | tail -1
}

# What is kept with the recipe. Nothing of a try is kept.

# keep_table TABLE.md: writes the rows of the table, and what the logs of their runs say, to $results/metrics.tsv.
keep_table() {
  is_try || python3 -B recipes/metrics.py "$results/metrics.tsv" "$runs" <"$1"
}

# keep_text RUN...: copies what these runs wrote for the test text to $results/RUN.$target, if they are in $runs.
keep_text() {
  local run
  for run in "$@"; do keep_file "$runs/$run/$test.$target" "$run.$target"; done
}
keep_file() {  # keep_file FILE NAME: copies FILE to $results/NAME, if it is there
  ! is_try && [ -f "$1" ] || return 0
  mkdir -p "$results"
  cp "$1" "$results/$2"
}

all_rows() { [ "${names[*]}" = "$(row_names | xargs)" ]; }  # whether they are made

# keep_figures FILE...: figures of all rows together, if all rows were trained with the recipe's own seeds.
keep_figures() {
  ! is_try && all_rows && [ "$SEEDS" = "${seeds:-$SEEDS}" ] || return 0
  mkdir -p "$results"
  cp "$@" "$results/"
}

# train_rows: trains every row once, in $runs/NAME.
train_rows() {
  local name
  for name in "${names[@]}"; do system_beside "$name" "$runs/$name"; done
  systems_complete "${names[@]/#/$runs/}"
}

# spread SCORES...: their mean, and behind it the lowest and the highest if there are several.
spread() {
  printf '%s\n' "$@" | sort -g | awk '{ sum += $1; last = $1; if (NR == 1) first = $1 }
    END { if (NR == 1) printf "%.1f", sum; else printf "%.1f (%.1f to %.1f)", sum / NR, first, last }'
}

# compare_with_seeds: trains every row with each of $SEEDS, writes the scores of each NAME-SEED to $runs/seeds.md, and prints
# a table with the mean and the range of each row's scores, and the last seed's steps and processor minutes.
compare_with_seeds() {
  local seed name all=()
  for seed in $SEEDS; do
    for name in "${names[@]}"; do
      all+=("$name-$seed")
      system_beside "$name" "$runs/$name-$seed" --seed "$seed" >&2
    done
  done
  systems_complete "${all[@]/#/$runs/}"
  seeds_table parameters
}
# seeds_table FIELD: that table, and $runs/seeds.md with a line for each run. FIELD: what the log tells of the start that is a
# column, `parameters` or `pairs`.
seeds_table() {
  local seed name run validated tested
  printf '| run | validation BLEU | test BLEU |\n|---|---|---|\n' >"$runs/seeds.md"
  echo "| system | $1 | steps | validation BLEU | test BLEU | processor minutes |"
  echo '|---|---|---|---|---|---|'
  for name in "${names[@]}"; do
    validated=() tested=()
    for seed in $SEEDS; do
      run=$runs/$name-$seed
      validated+=("$(score "$run" "$valid" 4)")
      tested+=("$(score "$run" "$test" 4)")
      echo "| $name-$seed | ${validated[-1]} | ${tested[-1]} |" >>"$runs/seeds.md"
    done
    echo "| $name | $(number_in_log "$run" start "$1") | $(number_in_log "$run" finish 'step|update') |" \
      "$(spread "${validated[@]}") | $(spread "${tested[@]}") | $(processor_minutes "$run") |"
  done
}

# compare NAME...: compare_with_seeds, then the test set's score against sentence length of the rows NAME; both also into
# $runs/table.md, $runs/lengths.txt and $runs/lengths.svg. Keeps the scores and the figure.
compare() {
  compare_with_seeds | tee "$runs/table.md"
  keep_table "$runs/seeds.md"
  score_by_length "$@" | tee "$runs/lengths.txt"
  keep_figures "$runs/lengths.svg"
}

# score_by_length NAME...: the test set's score against sentence length with the first seed, as a table, and as the figure
# $runs/lengths.svg.
score_by_length() {
  local name systems=()
  for name in "$@"; do
    [ ! -f "$runs/$name-${SEEDS%% *}/$test.$target" ] ||
      systems+=(--label "$name" "$runs/$name-${SEEDS%% *}/$test.$target")
  done
  [ ${#systems[@]} -gt 0 ] || return 0
  "$heed" evaluate --reference "$text/$test.$target" --tokenize "${metric##*-tok }" --by-length --source "$text/$test.$source" \
    --bucket-width "${bucket:-10}" --longest "${longest:-none}" --significance confidence \
    --figure "$runs/lengths.svg" "${systems[@]}"
}
