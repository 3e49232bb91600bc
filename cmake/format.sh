#!/usr/bin/env bash
# Formats all C++ files in git with clang-format, which it installs into build/tools.
#
#   cmake/format.sh [--check]     --check: changes nothing, names the files that are not formatted and exits with 1
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/python_tool.sh

clang_format=$(python_tool clang-format 23.1.5)
mapfile -t files < <(git ls-files '*.h' '*.cpp')
case ${1:-} in
  '') "$clang_format" -i "${files[@]}" ;;
  --check)
    if ! report=$("$clang_format" --dry-run --Werror "${files[@]}" 2>&1); then
      echo "these files are not as cmake/format.sh leaves them:" >&2
      grep -o '^[^ :]*\.\(h\|cpp\)' <<<"$report" | uniq >&2 || printf '%s\n' "$report" >&2
      exit 1
    fi ;;
  *) echo "format.sh: the option is --check, found $1" >&2; exit 2 ;;
esac
