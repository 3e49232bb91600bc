#!/usr/bin/env bash
# Prints the section of a version in CHANGELOG.md, for the notes of its release (.github/workflows/release.yml).
#
#   cmake/release_notes.sh 1.0.0
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: cmake/release_notes.sh VERSION}
notes=$(awk -v title="## $version" '
  /^## / { inside = ($0 == title || index($0, title " ") == 1); next }
  inside' CHANGELOG.md | sed '/./,$!d')
[ -n "$notes" ] || { echo "CHANGELOG.md has no section of version $version" >&2; exit 1; }
printf '%s\n' "$notes"
