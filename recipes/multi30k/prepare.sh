#!/usr/bin/env bash
# Fetches Multi30k, task 1 (Elliott et al. 2016, https://aclanthology.org/W16-3210), and writes it as plain text:
#
#   recipes/multi30k/prepare.sh DIR
#
#   DIR/raw/{train,val,test_2016_flickr}.{en,de,fr,cs}    the published raw text
#   DIR/tok/{train,val,test_2016_flickr}.{en,de,fr,cs}    the published lc.norm.tok text: lowercased, normalized, tokenized
#
# With HEED_DATA set, files come from there instead of the network: HEED_DATA/multi30k/train.en.gz and
# HEED_DATA/multi30k-tok/train.lc.norm.tok.en.gz, and so on. Every file is checked against its SHA-256. Files that are
# there already are kept, so that a run that was cut off goes on; a file appears whole or not at all.
set -euo pipefail
case ${1:-} in -h | --help) exec sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0" ;; esac

source_url=https://raw.githubusercontent.com/multi30k/dataset/master/data/task1

# SHA-256 of the uncompressed text, set, split, language
checksums='
460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6 raw train en
2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72 raw train de
5925a3c18f1587b6b54b87743106e6e8ab93618edb6f65d19eac0621f853a10d raw train fr
2be68b38c8d586ff4f54eb13cc6e1baaaa053695b3f070d3038303a47f2268da raw train cs
1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227 raw val en
660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660 raw val de
5304e444d842e962b2dda4d816b70b22a1765b15401642b7ca37a67477e708dc raw val fr
d53827e469b0a1ca8d57e9e26b2b64c4bc4b33f5479c7b03ae87ae5c882c3e33 raw val cs
399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182 raw test_2016_flickr en
4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16 raw test_2016_flickr de
cb3160d69b002bb638e66cc7612fcd56cb0af82eadc9c142dedc438afb885ef6 raw test_2016_flickr fr
45adb85f688de8407fddcbe1b36dca15d12aab868149b337e2576f2d6d2ff8d8 raw test_2016_flickr cs
08925f8e0572bcd5a006702fc5fe20e2d77c6917d4eebd576fc20de6693c2119 tok train en
cb5a23529b65ec2061f1dc446192a9c37382b63cc75f81a0be59d34894b3a505 tok train de
8fa41bb718412bcb7c5dfa58603842810a01543eae86a51279f9886b901266e1 tok train fr
7645fb91efa18f94c83d493f740a5d5a941e4b01efa6a124bf2d4af040e133e0 tok train cs
46573ce391ae227f1c72f873392436a20ef18e0a6d518098cfbd70b77c8572ec tok val en
97232bd273eceb7207f689527386a97e4be2616b18ada47576bdaf96c8ae1f00 tok val de
b303e301aa21fe7822a846b2b3fb2d5a1121ec807cd5b1d006fb7b2b5507168a tok val fr
b87ee4917f4a0f9ca6cca03e402026c9f4437dc1bd6a7dadfd2544ecfb6c5501 tok val cs
5b7f32627cf99eced828311b955dae9800bb52bc8b91cf8b6526829e605b29d2 tok test_2016_flickr en
c6a33d39d48f9f510de147651316cd9d918e09ad0219df734a2f16b6baccacc4 tok test_2016_flickr de
1463bd5960f9bfe098ec3cd752d3df0c49c84dc646fb518964a29232658cd836 tok test_2016_flickr fr
748c8816de928732365176e5c5d2f9bbabcec9b8d4448fba2d230feb057898a7 tok test_2016_flickr cs
'

fail() {
  printf 'prepare.sh: %s\n' "$*" >&2
  exit 1
}

# shellcheck source=../download.sh
. "$(dirname "$0")/../download.sh"

fetch() {  # fetch SET SPLIT LANGUAGE FILE: writes the uncompressed text and sets `origin`
  local name folder
  if [ "$1" = raw ]; then name=$2.$3 folder=multi30k; else name=$2.lc.norm.tok.$3 folder=multi30k-tok; fi
  if [ -n "${HEED_DATA:-}" ]; then
    origin=$HEED_DATA/$folder/$name.gz
    [ -f "$origin" ] || fail "HEED_DATA has no file $origin"
    gzip -dc <"$origin" >"$4" 2>/dev/null || fail "$origin is no whole gzip file"
  elif [ "$1" = raw ]; then
    origin=$source_url/raw/$name.gz
    download "$origin" "$4.gz"
    gzip -dc <"$4.gz" >"$4" 2>/dev/null || fail "$origin is no whole gzip file"
    rm "$4.gz"
  else
    origin=$source_url/tok/$name
    download "$origin" "$4"
  fi
}

[ $# -eq 1 ] && [ -n "$1" ] || { echo "usage: prepare.sh DIR" >&2; exit 2; }
out=$1
mkdir -p "$out/raw" "$out/tok"
work=$(mktemp -d "$out/.prepare.XXXXXX")  # beside the results, so that mv is a rename
trap 'rm -rf "$work"' EXIT

fetched=0 kept=0
while read -r checksum set split language; do
  [ -n "$checksum" ] || continue
  file=$out/$set/$split.$language
  if [ -f "$file" ] && [ "$(sha256_of "$file")" = "$checksum" ]; then
    kept=$((kept + 1))
    continue
  fi
  fetch "$set" "$split" "$language" "$work/text"
  found=$(sha256_of "$work/text")
  [ "$found" = "$checksum" ] || fail "$origin: expected text with SHA-256 $checksum, found $found"
  mv "$work/text" "$file"
  fetched=$((fetched + 1))
done <<<"$checksums"
printf 'Multi30k is in %s: %d files new, %d there already\n' "$out" "$fetched" "$kept" >&2
