#!/usr/bin/env bash
# From a clean clone to a translated, scored test set: installs what is missing, builds heed, then trains, translates and
# evaluates on the corpus in data/quickstart. Everything it makes is in runs/quickstart. Running it again goes on where
# it stopped; remove that folder to start afresh.
#
#   recipes/quickstart/run.sh        HEED_PRESET=dev|release|asan names the build to use (default: release)
set -euo pipefail
cd "$(dirname "$0")/../.."
. recipes/systems.sh
help_if_asked "$@"

preset=${HEED_PRESET:-release}
cmake/bootstrap.sh "$preset"
heed=build/$preset/bin/heed
data=data/quickstart
run=runs/quickstart
mkdir -p "$run"
begun=$SECONDS

"$heed" train --config recipes/quickstart/quickstart.toml --model "$run/model" \
  --source "$data/train.en" --target "$data/train.de" \
  --valid-source "$data/dev.en" --valid-target "$data/dev.de"
"$heed" translate --model "$run/model" <"$data/test.en" >"$run/test.de"
"$heed" evaluate --reference "$data/test.de" "$run/test.de" >"$run/bleu.txt"
seconds=$((SECONDS - begun))

line() { sed -n "$2p" "$1"; }

printf '\nScore on the test set (%s s after set-up)\n  %s\n' "$seconds" "$(cat "$run/bleu.txt")"

printf '\nFive sentences of the test set\n'
for number in 2 9 13 21 34; do
  printf '  source       %s\n' "$(line "$data/test.en" $number)"
  printf '  translation  %s\n' "$(line "$run/test.de" $number)"
  printf '  reference    %s\n\n' "$(line "$data/test.de" $number)"
done

printf 'Where the model looks as it writes: source words above, translation down the side\n'
line "$data/test.en" 2 >"$run/one.en"
line "$run/test.de" 2 >"$run/one.de"
"$heed" align --model "$run/model" --source "$run/one.en" --target "$run/one.de" --format blocks
"$heed" align --model "$run/model" --source "$run/one.en" --target "$run/one.de" --all-heads --output "$run/attention.html"
printf 'Every layer and head of it: open %s in a browser\n' "$run/attention.html"

cat <<END

What to try next
  echo 'The old woman has bought a red car.' | $heed translate --model $run/model
  $heed translate --model $run/model --search.beam 1 <$data/test.en | $heed evaluate --reference $data/test.de -
  $heed train --help-all             every option, with its default
  recipes/multi30k/run.sh            a real corpus: captions of photographs, English to German or French
END
