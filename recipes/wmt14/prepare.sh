#!/usr/bin/env bash
# Fetches the training, development and test text of the news task of WMT 2014 (Bojar et al. 2014,
# https://aclanthology.org/W14-3302), English with French or German, and writes it tokenized as Moses does:
#
#   recipes/wmt14/prepare.sh fr|de DIR
#
#   DIR/train.{en,fr}                          Europarl 7, Common Crawl, News Commentary 9; with French also UN and Giga
#   DIR/{newstest2012,newstest2013,newstest2014}.{en,fr}
#   DIR/valid.{en,fr}                          newstest2013; with French newstest2012 and newstest2013
#
# CORPORA="europarl news" takes only some of europarl, crawl, news, un and giga. With HEED_DATA set the archives come from
# HEED_DATA/wmt14 instead of the network. Text that is there already is kept; a file appears whole or not at all. A run that
# was cut off resumes its download. An archive must have the SHA-256 known for it, or the one recorded at its first download
# in archives/NAME.sha256. Needs Python 3, for the tokenizer (sacremoses). French is 40 million pairs and some 20 GB on the
# way, German 4.5 million pairs.
set -euo pipefail
case ${1:-} in -h | --help) exec sed -n '1d; /^#/!q; s/^# \{0,1\}//p' "$0" ;; esac

fail() {
  printf 'prepare.sh: %s\n' "$*" >&2
  exit 1
}

# shellcheck source=../download.sh
. "$(dirname "$0")/../download.sh"

case ${1:-} in
  fr) corpora=${CORPORA:-europarl crawl news un giga} test=newstest2014-fren ;;
  de) corpora=${CORPORA:-europarl crawl news} test=newstest2014-deen ;;
  *) echo "usage: prepare.sh fr|de DIR" >&2; exit 2 ;;
esac
[ $# -eq 2 ] && [ -n "$2" ] || { echo "usage: prepare.sh fr|de DIR" >&2; exit 2; }
for corpus in $corpora; do
  case $1-$corpus in
    *-europarl | *-crawl | *-news | fr-un | fr-giga) ;;
    *) fail "CORPORA: with $1 they are europarl, crawl, news$([ "$1" = de ] || echo ', un, giga'), not $corpus" ;;
  esac
done
language=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
archives=$out/archives
mkdir -p "$archives"

archive_of() {  # archive_of CORPUS: its address
  case $1 in
    europarl) echo https://www.statmt.org/wmt13/training-parallel-europarl-v7.tgz ;;
    crawl) echo https://www.statmt.org/wmt13/training-parallel-commoncrawl.tgz ;;
    news) echo https://www.statmt.org/wmt14/training-parallel-nc-v9.tgz ;;
    un) echo https://www.statmt.org/wmt13/training-parallel-un.tgz ;;
    giga) echo https://www.statmt.org/wmt10/training-giga-fren.tar ;;
    dev) echo https://www.statmt.org/wmt14/dev.tgz ;;
    test) echo https://www.statmt.org/wmt14/test-full.tgz ;;
  esac
}

# The three that TensorFlow Datasets lists (url_checksums/wmt14_translate.txt). For the others none is published.
checksum_of() {  # checksum_of CORPUS: the SHA-256 of its archive, or nothing
  case $1 in
    europarl) echo 0224c7c710c8a063dfd893b0cc0830202d61f4c75c17eb8e31836103d27d96e7 ;;
    crawl) echo c7a74e2ea01ac6c920123108627e35278d4ccb5701e15428ffa34de86fa3a9e5 ;;
    news) echo cb8953f292298e6877ae433c98912b927cb0766b303f4540512ddd286c748485 ;;
  esac
}

member_of() {  # member_of CORPUS LANGUAGE: how its file's name in the archive ends
  case $1 in
    europarl) echo "europarl-v7.$language-en.$2" ;;
    crawl) echo "commoncrawl.$language-en.$2" ;;
    news) echo "news-commentary-v9.$language-en.$2" ;;
    un) echo "undoc.2000.$language-en.$2" ;;
    giga) echo "giga-fren.release2.fixed.$2.gz" ;;
  esac
}

fetch() {  # fetch CORPUS: sets `archive` to its archive here
  local url name
  url=$(archive_of "$1")
  name=${url##*/}
  if [ -n "${HEED_DATA:-}" ]; then
    archive=$HEED_DATA/wmt14/$name
    [ -f "$archive" ] || fail "HEED_DATA has no file $archive"
  else
    archive=$archives/$name
    download_recorded "$url" "$archive" "$(checksum_of "$1")"
  fi
}

member() {  # member END: writes the one file of $archive whose name ends so
  local name
  name=$(tar -tf "$archive" | grep -E "(^|/)${1//./\\.}$" | head -1) || fail "$archive has no file whose name ends in $1"
  tar -xOf "$archive" "$name"
}

text_of() {  # text_of CORPUS LANGUAGE: its lines
  fetch "$1"
  if [ "$1" = giga ]; then member "$(member_of "$1" "$2")" | gzip -dc; else member "$(member_of "$1" "$2")"; fi
}

segments() { sed -n 's/^.*<seg[^>]*> *\(.*[^ ]\) *<\/seg>.*$/\1/p'; }  # the lines of a test set in SGML

set_of() {  # set_of NAME LANGUAGE: the lines of a test set
  local role=ref
  [ "$2" != en ] || role=src
  case $1 in
    newstest2014) fetch test; member "$test-$role.$2.sgm" | segments ;;
    *) fetch dev; member "$1-$role.$2.sgm" | segments ;;
  esac
}

tokenizer() {  # installs it once
  [ -x "$out/venv/bin/sacremoses" ] && return
  python3 -m venv "$out/venv" || fail "cannot make a virtual environment of Python"
  "$out/venv/bin/pip" install --quiet sacremoses==0.1.1 || fail "cannot install sacremoses"
}

tokenized() {  # tokenized LANGUAGE: by pieces, since sacremoses holds its input in memory
  split -l 500000 --filter="'$out/venv/bin/sacremoses' --quiet -l $1 -j $(nproc) tokenize"
}

for side in en "$language"; do
  for name in newstest2012 newstest2013 newstest2014; do
    file=$out/$name.$side
    [ -f "$file" ] && continue
    tokenizer
    set_of "$name" "$side" | tokenized "$side" >"$file.part"
    [ -s "$file.part" ] || fail "$name has no text in $side"
    mv "$file.part" "$file"
  done
  if [ "$language" = fr ]; then cat "$out/newstest2012.$side" "$out/newstest2013.$side"; else cat "$out/newstest2013.$side"; fi \
    >"$out/valid.$side.part"
  mv "$out/valid.$side.part" "$out/valid.$side"
  file=$out/train.$side
  [ -f "$file" ] && continue
  tokenizer
  : >"$file.part"
  for corpus in $corpora; do text_of "$corpus" "$side" | tr -d '\r' | tokenized "$side" >>"$file.part"; done
  mv "$file.part" "$file"
done
for name in train valid newstest2014; do
  english=$(wc -l <"$out/$name.en") other=$(wc -l <"$out/$name.$language")
  [ "$english" -eq "$other" ] || fail "$out/$name: $english lines of English, $other of the other language"
done
printf 'WMT 2014 is in %s: %d pairs for training\n' "$out" "$(wc -l <"$out/train.en")" >&2
