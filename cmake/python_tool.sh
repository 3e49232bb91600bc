# shellcheck shell=bash
#
# python_tool NAME VERSION, for scripts that source this: prints the path of the program NAME, which it installs into
# build/tools from PyPI first if it is not there in this version.
python_tool() {
  local root=build/tools log
  if [ "$("$root/bin/pip" list --format=freeze 2>/dev/null | grep "^$1==")" != "$1==$2" ]; then
    log=$(mktemp)
    if ! { python3 -m venv "$root" && "$root/bin/pip" install "$1==$2"; } >"$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      echo "cannot install $1 $2 into $root" >&2
      return 1
    fi
    rm -f "$log"
  fi
  echo "$root/bin/$1"
}
