#!/usr/bin/env bash
# More from the same pairs of Multi30k, English to German: both directions first, then one (Ding et al. 2021,
# https://arxiv.org/abs/2109.07780), data diversification (Nguyen et al. 2020, https://arxiv.org/abs/1911.01986), guided
# alignment (Chen et al. 2016, https://arxiv.org/abs/1607.01628) with the links of another model; and back-translation of half
# of the German text with and without a tag (Sennrich et al. 2016, https://aclanthology.org/P16-1009; Caswell et al. 2019,
# https://arxiv.org/abs/1906.06442). Prints one table.
#
#   recipes/augmentation/run.sh [NAME...] [-- heed train options]
#
# NAME picks rows (see `rows` below); without one all are trained. The systems that a row is made with are trained where they
# are missing. Options behind -- go to every training, such as --train.max-steps 20 for a try, which translates only 1,000
# lines. SEEDS="1 2 3" are the seeds. Each training takes one thread; JOBS=2 makes two at once. Everything is made in
# runs/augmentation, with options in runs/augmentation/tries/OPTIONS; what is complete is not made again, what was cut off goes
# on. HEED_DATA=DIR takes the corpus from there (recipes/multi30k/prepare.sh), HEED_PRESET names the build (default: release).
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh

learned='--text.type unigram --text.vocab-size 8000 --text.joint true'
rows="
base $learned --train.max-steps 1500
both-first --train.max-steps 1000
diverse $learned --train.max-steps 1500
aligned $learned --train.max-steps 1500
half $learned --train.max-steps 1500
back-translated $learned --train.max-steps 1500
tagged $learned --train.max-steps 1500 --text.user-symbols <bt>
"
seeds=1
runs=runs/augmentation results=recipes/augmentation/results
common=(--config recipes/augmentation/augmentation.toml)
begin "$@"
use_multi30k

# Systems that rows are made with: both directions in one, and German to English.
rows+="
both $learned --train.max-steps 500
backward $learned --train.max-steps 1500
half-backward $learned --train.max-steps 1500
"
made_with() {  # made_with NAME: the systems that a row is made with
  case $1 in
    both-first) echo both ;;
    diverse) echo base backward ;;
    aligned) echo base ;;
    back-translated | tagged) echo half-backward ;;
  esac
}

corpus=$text pairs=$(wc -l <"$text/$train.en") half=14500 tag='<bt>'
new_text() {  # new_text NAME: a folder that has the validation and the test text already
  mkdir -p "$runs/data/$1"
  cp "$corpus/$valid".{en,de} "$corpus/$test".{en,de} "$runs/data/$1/"
  echo "$runs/data/$1"
}
first_half() { head -n $half "$corpus/$train.$1"; }
second_half() { tail -n +$((half + 1)) "$corpus/$train.$1" | head -n $((pairs - half)); }
few() { if is_try; then head -n 1000; else cat; fi; }  # a try makes less text

# translation SYSTEM FILE OUTPUT: what the system with $seed makes of a file.
translation() {
  few <"$2" >"$3.input"
  "$heed" translate --model "$runs/$1-$seed/model" --input "$3.input" --output "$3" --continue true
}

# train_system NAME: trains it with $seed.
train_system() {
  local run=$runs/$1-$seed with=() text=$corpus source=en target=de
  case $1 in
    half | half-backward) text=$runs/data/half ;;
    both) text=$runs/data/both ;;
    diverse | back-translated | tagged) text=$runs/data/$1-$seed ;;
    both-first) with=(--from "$runs/both-$seed/model") ;;
    aligned) with=(--alignments "$runs/data/aligned-$seed.links") ;;
  esac
  case $1 in backward | half-backward) source=de target=en ;; esac
  system_beside "$1" "$run" "${with[@]}" --seed "$seed" >&2
}

# The text of a row with $seed, which other systems make.
text_of() {
  local name=$1-$seed folder
  case $1 in
    diverse)  # both sides as they are, with the forward translations, and with the backward translations
      [ ! -f "$runs/data/$name/$train.de" ] || return 0
      translation base "$corpus/$train.en" "$runs/data/base-$seed.de"
      translation backward "$corpus/$train.de" "$runs/data/backward-$seed.en"
      folder=$(new_text "$name")
      cat "$corpus/$train.en" <(few <"$corpus/$train.en") "$runs/data/backward-$seed.en" >"$folder/$train.en"
      cat "$corpus/$train.de" "$runs/data/base-$seed.de" <(few <"$corpus/$train.de") >"$folder/part"
      mv "$folder/part" "$folder/$train.de"
      ;;
    back-translated | tagged)  # half of the pairs, and the other half's German with its translation
      [ ! -f "$runs/data/$name/$train.de" ] || return 0
      second_half de >"$runs/data/second.de"
      translation half-backward "$runs/data/second.de" "$runs/data/half-backward-$seed.en"
      folder=$(new_text "$name")
      first_half en >"$folder/$train.en"
      if [ "$1" = tagged ]; then sed "s/^/$tag /"; else cat; fi <"$runs/data/half-backward-$seed.en" >>"$folder/$train.en"
      cat <(first_half de) <(few <"$runs/data/second.de") >"$folder/part"
      mv "$folder/part" "$folder/$train.de"
      ;;
    aligned)
      [ -f "$runs/data/$name.links" ] ||
        "$heed" align --model "$runs/base-$seed/model" --source "$corpus/$train.en" --target "$corpus/$train.de" \
          --output "$runs/data/$name.links"
      ;;
  esac
}

# Text that needs no system.
mkdir -p "$runs/data"
if [ ! -f "$runs/data/half/$train.de" ]; then
  folder=$(new_text half)
  first_half en >"$folder/$train.en"
  first_half de >"$folder/part"
  mv "$folder/part" "$folder/$train.de"
fi
if [ ! -f "$runs/data/both/$train.de" ]; then
  folder=$(new_text both)
  cat "$corpus/$train.en" "$corpus/$train.de" >"$folder/$train.en"
  cat "$corpus/$train.de" "$corpus/$train.en" >"$folder/part"
  mv "$folder/part" "$folder/$train.de"
fi

# First the systems that others are made with, then the others.
first=$(for name in "${names[@]}"; do made_with "$name"; done | sort -u | xargs)
for stage in "$first" "${names[*]}"; do
  all=()
  for seed in $SEEDS; do
    for name in $stage; do
      text_of "$name"
      train_system "$name"
      all+=("$name-$seed")
    done
  done
  for run in "${all[@]}"; do
    case $run in *backward-*) target=en ;; *) target=de ;; esac
    systems_complete "$runs/$run"
  done
  target=de
done

seeds_table pairs | tee "$runs/table.md"
keep_table "$runs/seeds.md"
