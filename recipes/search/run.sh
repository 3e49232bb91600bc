#!/usr/bin/env bash
# Every way of searching with one model: a small Transformer for Multi30k, English to German, and the models that help it (a
# second one with another seed, one that translates back, one that writes from right to left, a language model). Beam sizes,
# length penalties, n-best lists, samples, minimum Bayes risk, ensembles, shallow fusion, re-ranking, prefixes and
# constraints, each with BLEU, chrF, length and speed.
#
#   recipes/search/run.sh                                   # trains the models, about an hour of one core, then searches
#   recipes/search/run.sh -- --train.max-steps 20         # a try
#
# Options behind -- go to every training. Everything is made in runs/search, with options in runs/search/tries/OPTIONS; what
# is complete is not made again, a training that was cut off goes on. HEED_DATA=DIR takes the corpus from there
# (recipes/multi30k/prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

rows=  # one comparison, always whole
runs=runs/search results=recipes/search/results
begin "$@"
use_multi30k
multi30k=$text text=$runs/data
mkdir -p "$text"

# reversed FILE: its words from right to left.
reversed() { awk '{ for (i = NF; i > 0; --i) printf "%s%s", $i, (i > 1 ? " " : ""); print "" }' "$1"; }

for split in "$train" "$valid" "$test"; do
  cp "$multi30k/$split".{en,de} "$text/"
  reversed "$text/$split.de" >"$text/$split.reversed"
done

# ---- the models

# model NAME OPTIONS...: trains runs/search/NAME.
model() {
  local name=$1
  shift
  [ ! -f "$runs/$name/complete" ] || return 0
  "$heed" train --model "$runs/$name" "$@" "${more[@]}" >&2
  touch "$runs/$name/complete"
}
# pair SOURCE TARGET: options for the text.
pair() {
  echo --source "$text/$train.$1" --target "$text/$train.$2" --valid-source "$text/$valid.$1" --valid-target "$text/$valid.$2"
}
translates=(--config recipes/multi30k/transformer-tiny.toml recipes/search/models.toml --valid.tokenize none)
# shellcheck disable=SC2046  # options
{
  model forward "${translates[@]}" $(pair en de)
  model second "${translates[@]}" $(pair en de) --seed 2 \
    --text.tokenizers given --text.source-tokenizer "$runs/forward/source.spm"
  model reverse "${translates[@]}" $(pair de en)
  model right-to-left "${translates[@]}" $(pair en reversed)
  model language-model --preset lm-transformer --target "$text/$train.de" --valid-target "$text/$valid.de" --threads 1 \
    --text.tokenizers given --text.target-tokenizer "$runs/forward/source.spm" --train.max-steps 1000 --valid.every 150
}

# ---- one way of searching

# way NAME OPTIONS...: translates the validation and the test text as $runs/ways/NAME.SPLIT.de, and notes the seconds.
way() {
  local name=$1 split begin file
  shift
  mkdir -p "$runs/ways"
  for split in "$valid" "$test"; do
    file=$runs/ways/$name.$split.de
    [ ! -f "$file" ] || continue
    begin=$EPOCHREALTIME
    "$heed" translate --model "$runs/forward" --threads 1 --input "$text/$split.en" "${@//SPLIT/$split}" >"$file.part"
    awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }' >"$file.seconds"
    mv "$file.part" "$file"
  done
}
# chosen NAME LIST OPTIONS...: what `heed rerank OPTIONS` takes from LIST, as $runs/ways/NAME.SPLIT.de.
chosen() {
  local name=$1 from=$2 split begin file
  shift 2
  for split in "$valid" "$test"; do
    file=$runs/ways/$name.$split.de
    [ ! -f "$file" ] || continue
    begin=$EPOCHREALTIME
    "$heed" rerank --input "$runs/ways/$from.$split.de" "${@//SPLIT/$split}" >"$file.part"
    awk -v a="$begin" -v b="$EPOCHREALTIME" -v list="$(cat "$runs/ways/$from.$split.de.seconds")" \
      'BEGIN { print list + b - a }' >"$file.seconds"
    mv "$file.part" "$file"
  done
}

# scores NAME SPLIT: BLEU, chrF and the ratio of lengths in words, a line each.
scores() {
  "$heed" evaluate --reference "$text/$2.de" --metric bleu --metric chrf --metric length-ratio --tokenize none --decimals 2 \
    "$runs/ways/$1.$2.de" | sed 's/^[^=]*= *\([0-9.]*\).*/\1/'
}
# row NAME LABEL: of the tables.
row() {
  local valid_scores test_scores
  mapfile -t valid_scores < <(scores "$1" "$valid")
  mapfile -t test_scores < <(scores "$1" "$test")
  printf '%s\t%.1f\t%.1f\t%.1f\t%.3f\t%.0f\n' "$2" "${valid_scores[0]}" "${test_scores[@]}" \
    "$(awk -v lines="$(wc -l <"$text/$test.en")" '{ print lines / $1 }' "$runs/ways/$1.$test.de.seconds")"
}
# table TITLE: rows of standard input as a table of Markdown.
table() {
  printf '\n### %s\n\n| search | validation BLEU | test BLEU | chrF | length ratio | lines/s |\n|---|---|---|---|---|---|\n' "$1"
  awk -F '\t' '{ printf "|"; for (i = 1; i <= NF; ++i) printf " %s |", $i; print "" }'
}
# rows SECTION: makes the ways that stand in standard input, lines of "NAME | LABEL | OPTIONS", and writes their rows to
# $runs/tables/SECTION.tsv.
rows() {
  local name label options
  mkdir -p "$runs/tables"
  while IFS='|' read -r name label options; do
    name=$(xargs <<<"$name") label=$(xargs <<<"$label")
    [ -n "$name" ] || continue
    read -ra options <<<"$options"
    way "$name" "${options[@]}"
    row "$name" "$label"
  done >"$runs/tables/$1.tsv"
}

# ---- all ways

for beam in 1 2 3 4 5 8 10 15 20 30 50; do
  echo "beam-$beam-none | beam $beam, log p | --search.beam $beam --search.length-penalty none"
  echo "beam-$beam-gnmt | beam $beam, gnmt 0.6 | --search.beam $beam --search.length-penalty gnmt"
  echo "beam-$beam-power | beam $beam, log p / n | --search.beam $beam"
done | rows beams

rows lengths <<'END'
power-0.4   | log p / n^0.4                  | --search.length-alpha 0.4
power-0.7   | log p / n^0.7                  | --search.length-alpha 0.7
beam-5-power | log p / n                     |
power-1.3   | log p / n^1.3                  | --search.length-alpha 1.3
power-1.6   | log p / n^1.6                  | --search.length-alpha 1.6
gnmt-0.2    | gnmt 0.2                       | --search.length-penalty gnmt --search.length-alpha 0.2
gnmt-1      | gnmt 1                         | --search.length-penalty gnmt --search.length-alpha 1
reward-0.2  | log p + 0.2 a token            | --search.length-penalty none --search.word-reward 0.2
reward-0.4  | log p + 0.4 a token            | --search.length-penalty none --search.word-reward 0.4
reward-0.8  | log p + 0.8 a token            | --search.length-penalty none --search.word-reward 0.8
coverage-0.1 | log p / n, coverage 0.1       | --search.coverage-penalty 0.1
coverage-0.4 | log p / n, coverage 0.4       | --search.coverage-penalty 0.4
first       | the first finished (patience 0.2) | --search.patience 0.2
patience-2  | patience 2                     | --search.patience 2
best        | until no open one can win      | --search.stop best
no-repeat-3 | no 3-gram twice                | --search.no-repeat-ngram 3
repetition  | repetition penalty 1.2         | --search.repetition-penalty 1.2
END

rows samples <<'END'
sample       | one sample                    | --search.method sample
sample-0.7   | temperature 0.7               | --search.method sample --search.temperature 0.7
sample-0.4   | temperature 0.4               | --search.method sample --search.temperature 0.4
top-k        | top-k 10                      | --search.method sample --search.top-k 10
top-p        | top-p 0.9                     | --search.method sample --search.top-p 0.9
epsilon      | epsilon 0.02                  | --search.method sample --search.epsilon 0.02
END

rows risk <<'END'
mbr-samples-chrf  | 100 samples, chrF        | --search.method sample --search.n-best 100 --mbr chrf
mbr-samples-bleu  | 100 samples, BLEU        | --search.method sample --search.n-best 100 --mbr bleu
mbr-epsilon-chrf  | 100 samples with epsilon 0.02, chrF | --search.method sample --search.epsilon 0.02 --search.n-best 100 --mbr chrf
mbr-epsilon-bleu  | 100 samples with epsilon 0.02, BLEU | --search.method sample --search.epsilon 0.02 --search.n-best 100 --mbr bleu
mbr-list-chrf     | list of beam 20, chrF    | --search.beam 20 --search.n-best 20 --mbr chrf
mbr-list-bleu     | list of beam 20, BLEU    | --search.beam 20 --search.n-best 20 --mbr bleu
mbr-even-chrf     | list of beam 20, scale 0.2, chrF | --search.beam 20 --search.n-best 20 --mbr chrf --mbr-scale 0.2
mbr-even-bleu     | list of beam 20, scale 0.2, BLEU | --search.beam 20 --search.n-best 20 --mbr bleu --mbr-scale 0.2
END

rows helpers <<END
ensemble     | ensemble of two               | --ensemble $runs/second
fusion-0.05  | language model, 0.05          | --language-model $runs/language-model --language-model-weight 0.05
fusion-0.1   | language model, 0.1           | --language-model $runs/language-model --language-model-weight 0.1
fusion-0.2   | language model, 0.2           | --language-model $runs/language-model --language-model-weight 0.2
END

# Lists, and the best that stands in them.
oracle() {  # oracle NAME OPTIONS...: of the list that the options make
  local name=$1
  shift
  way "list-$name" "$@"
  chosen "oracle-$name" "list-$name" --reference "$text/SPLIT.de" --tokenize none --oracle
}
oracle_rows() {
  local name label options
  while IFS='|' read -r name label options; do
    name=$(xargs <<<"$name") label=$(xargs <<<"$label")
    read -ra options <<<"$options"
    oracle "$name" "${options[@]}"
    row "oracle-$name" "$label"
  done
}
mkdir -p "$runs/tables"
for sizes in '5 5' '20 4' '50 10'; do
  read -r n groups <<<"$sizes"
  echo "beam-$n | beam $n | --search.beam $n --search.n-best $n"
  echo "groups-$n | beam $n in $groups groups | --search.beam $n --search.n-best $n --search.groups $groups"
  echo "samples-$n | $n samples | --search.method sample --search.n-best $n"
done | oracle_rows >"$runs/tables/oracles.tsv"

# Re-ranking the list of beam 20, with weights chosen on the validation set.
rerank() {  # rerank NAME LABEL OPTIONS...
  local name=rerank-$1 label=$2
  shift 2
  [ -f "$runs/$name.json" ] ||
    "$heed" rerank --input "$runs/ways/list-beam-20.$valid.de" --source "$text/$valid.en" --reference "$text/$valid.de" \
      --tokenize none --weights "$runs/$name.json" "$@"
  chosen "$name" list-beam-20 --source "$text/SPLIT.en" --weights "$runs/$name.json"
  row "$name" "$label"
}
reverse=(--reverse "$runs/reverse") backward=(--right-to-left "$runs/right-to-left")
language_model=(--language-model "$runs/language-model")
{
  row beam-20-power 'not re-ranked'
  rerank alone 'weights of score and length alone'
  rerank language-model 'language model' "${language_model[@]}"
  rerank right-to-left 'right to left' "${backward[@]}"
  rerank reverse 'reverse' "${reverse[@]}"
  rerank second 'second model' --forward "$runs/second"
  rerank all 'right to left, reverse, language model' "${backward[@]}" "${reverse[@]}" "${language_model[@]}"
  rerank all-second 'all four' --forward "$runs/second" "${backward[@]}" "${reverse[@]}" "${language_model[@]}"
} >"$runs/tables/re-ranking.tsv"

# What the references say beforehand: their first words, or a phrase from anywhere in them.
for words in 1 2 3; do
  for split in "$valid" "$test"; do cut -d ' ' -f "-$words" "$text/$split.de" >"$text/$split.begin$words"; done
  echo "prefix-$words | the first words: $words | --prefix $text/SPLIT.begin$words"
done | rows prefixes
for words in 1 2 3 4; do
  for split in "$valid" "$test"; do
    python3 recipes/search/phrases.py cut "$words" "$text/$split".{en,de} >"$text/$split.phrases$words"
  done
  for beam in 5 20; do
    # The term is the whole line, so no line may be split.
    echo "phrase-$words-$beam | $words words, beam $beam | --terminology $text/SPLIT.phrases$words --search.beam $beam --split none"
  done
done | rows constraints
for words in 1 2 3 4; do
  for beam in 5 20; do
    for split in "$valid" "$test"; do
      python3 recipes/search/phrases.py check "$text/$split.phrases$words" "$text/$split.en" \
        "$runs/ways/phrase-$words-$beam.$split.de"
    done
  done
done

{
  table 'Beams' <"$runs/tables/beams.tsv"
  table 'Length, stopping, repetition (beam 5)' <"$runs/tables/lengths.tsv"
  table 'Samples' <"$runs/tables/samples.tsv"
  table 'Minimum Bayes risk' <"$runs/tables/risk.tsv"
  table 'The best of a list, by its reference' <"$runs/tables/oracles.tsv"
  table 'Other models at every step (beam 5)' <"$runs/tables/helpers.tsv"
  table 'Re-ranking the list of beam 20' <"$runs/tables/re-ranking.tsv"
  table 'Prefixes from the references (beam 5)' <"$runs/tables/prefixes.tsv"
  table 'Phrases from the references' <"$runs/tables/constraints.tsv"
} | tee "$runs/tables.md"
python3 recipes/search/picture.py "$runs/tables" >"$runs/search.svg"
for section in "$runs"/tables/*.tsv; do sed "s/^/$(basename "$section" .tsv): /" "$section"; done | table all >"$runs/all.md"
keep_table "$runs/all.md"
keep_figures "$runs/search.svg"
