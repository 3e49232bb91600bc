# shellcheck shell=bash
#
# Downloads that may be cut off at any moment, for the recipes' prepare.sh. Sourced; expects a function `fail MESSAGE` that
# ends the script.

sha256_of() {  # sha256_of FILE
  if command -v sha256sum >/dev/null; then sha256sum <"$1" | cut -d' ' -f1; else shasum -a 256 <"$1" | cut -d' ' -f1; fi
}

# download URL FILE [SHA256]: FILE appears whole or not at all. What an earlier run has of it, in FILE.part, is kept, and
# the rest is fetched. Without a SHA256, the archive itself must be whole (gzip -t, tar -t).
download() {
  local part=$2.part resumed=
  [ ! -s "$part" ] || resumed=yes
  _fetch_rest "$1" "$part"
  if [ -n "$resumed" ] && ! _is_whole "$part" "$2" "${3:-}"; then  # the beginning was of something else
    rm -f "$part"
    _fetch_rest "$1" "$part"
  fi
  if ! _is_whole "$part" "$2" "${3:-}"; then
    local found expected="a whole archive"
    found=$(sha256_of "$part")
    [ -z "${3:-}" ] || expected="a file with the SHA-256 $3"
    rm -f "$part"
    fail "$1: expected $expected, found a file with the SHA-256 $found; it is removed"
  fi
  mv "$part" "$2"
}

# download_recorded URL FILE [SHA256]: the same, and FILE.sha256 records the checksum (as `sha256sum -c` reads it). A FILE
# that is there already must have it.
download_recorded() {
  local expected=${3:-} record=$2.sha256 found
  if [ ! -f "$2" ]; then
    rm -f "$record"
    download "$1" "$2" "$expected"
  fi
  found=$(sha256_of "$2")
  if [ -z "$expected" ] && [ -f "$record" ]; then expected=$(cut -d' ' -f1 "$record"); fi
  if [ -n "$expected" ] && [ "$found" != "$expected" ]; then
    fail "$2 has the SHA-256 $found, but it was $expected: remove the file, and run this again"
  fi
  [ -f "$record" ] && return
  printf '%s  %s\n' "$found" "${2##*/}" >"$record.part"
  mv "$record.part" "$record"
}

_is_whole() {  # _is_whole FILE NAME SHA256: NAME says of which kind it is
  if [ -n "$3" ]; then [ "$(sha256_of "$1")" = "$3" ]; return; fi
  case $2 in
    *.tgz | *.gz) gzip -t <"$1" 2>/dev/null ;;
    *.tar) tar -tf "$1" >/dev/null 2>&1 ;;
    *) true ;;
  esac
}

_fetch_rest() {  # _fetch_rest URL PART: completes PART
  if command -v curl >/dev/null; then
    _fetch_with_curl "$1" "$2"
  elif command -v wget >/dev/null; then
    wget --quiet --tries=3 --continue --output-document="$2" "$1"
  else
    fail "curl or wget is needed to fetch $1; or set HEED_DATA to a folder that has the files"
  fi || fail "cannot fetch $1; without a network, set HEED_DATA to a folder that has the files"
}

# Where nothing is missing, a server answers 416 (Range Not Satisfiable) with the size of the whole: "bytes */SIZE"; where
# it gives no parts of a file, 200 (curl ends with 33).
_fetch_with_curl() {
  local code size status=0
  code=$(curl --fail --location --silent --show-error --retry 3 --continue-at - --dump-header "$2.headers" \
    --write-out '%{http_code}' --output "$2" "$1" 2>"$2.errors") || status=$?
  size=$(sed -n 's|^[Cc]ontent-[Rr]ange: bytes \*/\([0-9]*\).*$|\1|p' "$2.headers" 2>/dev/null | tail -1)
  case $code-$status in
    416-*) [ "$size" = "$(wc -c <"$2" | tr -d ' ')" ] || rm -f "$2" ;;
    *-33) rm -f "$2" ;;
    *-0) ;;
    *) cat "$2.errors" >&2 ;;
  esac
  rm -f "$2.headers" "$2.errors"
  if [ ! -f "$2" ]; then curl --fail --location --silent --show-error --retry 3 --output "$2" "$1"; return; fi
  [ "$status" -eq 0 ] || [ "$code" = 416 ]
}
