#!/usr/bin/env bash
# fail_once.sh MARK COMMAND...: COMMAND, but for the first process that comes: that one writes some of its output and fails.
set -euo pipefail
mark=$1
shift
if (set -o noclobber && : >"$mark") 2>/dev/null; then
  head -n 3 | "$@"
  echo "fails once" >&2
  exit 1
fi
exec "$@"
