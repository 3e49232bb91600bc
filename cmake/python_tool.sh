# shellcheck shell=bash
#
# For scripts that source this: programs and packages from PyPI, installed into build/tools where they are not there yet.
#
#   python_tool NAME VERSION [PACKAGE]    prints the path of the program NAME, from the package, by default of that name
#   python_packages NAME==VERSION...      prints the path of a Python that has these packages
python_tool() { install_from_pypi "${3:-$1}==$2" && echo "build/tools/bin/$1"; }
python_packages() { install_from_pypi "$@" && echo build/tools/bin/python; }

install_from_pypi() {  # install_from_pypi NAME==VERSION...
  local root=build/tools log package there missing=()
  there=$("$root/bin/pip" list --format=freeze 2>/dev/null || true)
  for package in "$@"; do grep -qxF "$package" <<<"$there" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  log=$(mktemp)
  if ! { python3 -m venv "$root" && "$root/bin/pip" install "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "cannot install ${missing[*]} into $root" >&2
    return 1
  fi
  rm -f "$log"
}
