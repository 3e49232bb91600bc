#!/usr/bin/env bash
# Installs what heed needs and is not there yet, then configures and builds it.
#
#   cmake/bootstrap.sh [--with-peers] [PRESET [OPTION...]]
#   cmake/bootstrap.sh --only-packages      installs the packages of the system and stops
#
#   PRESET        release (default: the programs), dev or asan (with tests); the build tree is build/PRESET
#   OPTION        for CMake, such as -DHEED_BUILD_TESTS=ON
#   --with-peers  also installs what tests are skipped without: shells, mandoc, MeCab, Doxygen and Chromium from the system's
#                 packages; PyTorch and the Python packages of tests/requirements.txt in build/venv, whose Python these tests then use
#
# LibTorch: uses LIBTORCH or Torch_DIR if set, else the PyTorch of build/venv, else one of 2.11 or newer that python3 finds,
# else installs the pinned wheel into build/venv, for CUDA if this machine has a GPU that CUDA could use, or as HEED_TORCH=cuda
# or HEED_TORCH=cpu in the environment says. System packages: by apt-get where this user may, else prints the line to
# run and stops. Running it again takes seconds.
set -euo pipefail
cd "$(dirname "$0")/.."

peers=
only_packages=
case ${1:-} in
  --with-peers) peers=yes; shift ;;
  --only-packages) only_packages=yes; shift ;;
esac
preset=${1:-release}
options=("${@:2}")
torch_version=2.13.0
packages=(g++ cmake ninja-build ccache python3 python3-venv libsentencepiece-dev libdnnl-dev libtomlplusplus-dev libcli11-dev
  libfmt-dev nlohmann-json3-dev libicu-dev libssl-dev zlib1g-dev libpng-dev libpugixml-dev libsndfile1-dev
  libsamplerate0-dev libmicrohttpd-dev libcld2-dev libgumbo-dev libmd4c-dev libminizip-dev libgloo-dev)
[[ $preset == release && " ${options[*]} " != *" -DHEED_BUILD_TESTS=ON "* ]] || packages+=(libgtest-dev)
[ -z "$peers" ] || packages+=(python3-dev zsh fish mandoc mecab-ipadic-utf8 doxygen chromium)

say() { printf '%s\n' "$*" >&2; }
timed() {  # timed "what is done" command...: one line before, one after; the output of a failure is shown
  local what=$1 begun=$SECONDS log
  shift
  log=$(mktemp)
  say "$what ..."
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    say "$what failed: $*"
    return 1
  fi
  rm -f "$log"
  say "$what: $((SECONDS - begun)) s"
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null)" = "ii " ]; }

has_headers='import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'

install_packages() {
  command -v dpkg-query >/dev/null || { say "not a Debian system: heed needs the equivalents of ${packages[*]}"; return; }
  local missing=() package as_root=()
  for package in "${packages[@]}"; do
    case $package in  # tools may also come from elsewhere
      g++ | cmake | ccache | python3 | zsh | fish | mandoc | doxygen | chromium) command -v "$package" >/dev/null && continue ;;
      ninja-build) command -v ninja >/dev/null && continue ;;
      python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null && continue ;;
      python3-dev) python3 -c "$has_headers" 2>/dev/null && continue ;;
    esac
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
      say "these packages are missing; install them with this line, then run this again:"
      say "  sudo apt-get install --no-install-recommends ${missing[*]}"
      exit 1
    fi
    as_root=(sudo -n)
  fi
  timed "updating the package lists" "${as_root[@]}" apt-get update
  timed "installing ${missing[*]}" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends "${missing[@]}"
}

# The folder of an installed PyTorch that is new enough and comes with its headers; nothing otherwise.
installed_torch() {
  python3 - <<'PYTHON' 2>/dev/null || true
import importlib.util, pathlib, re
spec = importlib.util.find_spec("torch")
root = pathlib.Path(spec.origin).parent
version = re.search(r"__version__ = '(\d+)\.(\d+)", (root / "version.py").read_text())
if tuple(map(int, version.groups())) >= (2, 11) and (root / "include/torch/csrc/api/include/torch/torch.h").exists():
    print(root)
PYTHON
}

# A GPU that CUDA could use: under WSL there is no /dev/nvidia0, but the driver's library.
has_gpu() { [ -e /dev/nvidia0 ] || [ -e /usr/lib/wsl/lib/libcuda.so.1 ]; }

# install_checked_wheel PIP_ARGUMENT...: downloads one wheel, compares it with cmake/torch_wheels.sha256 if it is there, and
# installs it with the packages that it needs.
install_checked_wheel() {
  local pip=build/venv/bin/pip folder=build/venv/download wheel name known
  rm -rf "$folder"
  timed "downloading LibTorch $torch_version" "$pip" download --no-deps --dest "$folder" "$@"
  wheel=$(echo "$folder"/*.whl)
  name=${wheel##*/}
  known=$(sed -n "s/^\([0-9a-f]*\)  $name\$/\1/p" cmake/torch_wheels.sha256)
  if [ -z "$known" ]; then
    say "$name is not in cmake/torch_wheels.sha256: only pip has checked it"
  elif [ "$(sha256sum "$wheel" | cut -d' ' -f1)" != "$known" ]; then
    say "$wheel is not the wheel with the SHA-256 in cmake/torch_wheels.sha256; it is not installed"
    return 1
  fi
  timed "installing LibTorch $torch_version into build/venv" "$pip" install "${@:1:$#-1}" "$wheel"
  rm -rf "$folder"
}

install_torch_wheel() {
  local pip=build/venv/bin/pip cpu_index=https://download.pytorch.org/whl/cpu
  [ -x "$pip" ] || timed "making a Python environment in build/venv" python3 -m venv build/venv
  export PIP_DISABLE_PIP_VERSION_CHECK=1
  local device=${HEED_TORCH:-}
  [ -n "$device" ] || { has_gpu && device=cuda; } || device=cpu
  if [ "$device" = cuda ]; then  # ==, other than ===, would take a wheel of $torch_version+cpu too
    install_checked_wheel "torch===$torch_version"
  elif "$pip" install --dry-run --no-deps "torch==$torch_version+cpu" >/dev/null 2>&1; then
    install_checked_wheel "torch==$torch_version+cpu"
  elif "$pip" install --dry-run --no-deps --retries 0 --index-url "$cpu_index" "torch==$torch_version" >/dev/null 2>&1; then
    install_checked_wheel --index-url "$cpu_index" "torch==$torch_version"
  else
    install_checked_wheel "torch==$torch_version"
  fi
}

torch_in_venv() { compgen -G "$PWD/build/venv/lib/python3*/site-packages/torch/lib/libtorch_cpu.so" >/dev/null; }

find_torch() {
  if [ -n "${LIBTORCH:-}" ] || [ -n "${Torch_DIR:-}" ]; then
    export LIBTORCH=${LIBTORCH:-$Torch_DIR/../../..}
    return
  fi
  LIBTORCH=
  torch_in_venv || LIBTORCH=$(installed_torch)
  if [ -z "$LIBTORCH" ]; then
    torch_in_venv || install_torch_wheel
    LIBTORCH=$(echo "$PWD"/build/venv/lib/python3*/site-packages/torch)
  fi
  export LIBTORCH
}

# Into the environment that has PyTorch, so that heed's Python package and the others share one.
install_peers() {
  local python=$PWD/build/venv/bin/python installed=build/venv/requirements.txt
  torch_in_venv || install_torch_wheel
  if ! cmp -s tests/requirements.txt $installed; then
    timed "installing the Python packages of tests/requirements.txt into build/venv" \
      "$python" -m pip install --disable-pip-version-check -r tests/requirements.txt
    cp tests/requirements.txt $installed
  fi
  options=(-DPython_EXECUTABLE="$python" -DHEED_PEERS_PYTHON="$python" "${options[@]}")
}

# counted COMMAND...: runs ninja through COMMAND and tells how far it is, on a terminal in one line, else every 30 s; the
# output of a failure is shown.
counted() {
  local what="building build/$preset" begun=$SECONDS log
  log=$(mktemp)
  say "$what ..."
  if ! NINJA_STATUS='ninja %f %t %e ' "$@" 2>&1 | show_progress "$what" "$log"; then
    cat "$log" >&2
    rm -f "$log"
    say "$what failed: $*"
    return 1
  fi
  rm -f "$log"
  say "$what: $((SECONDS - begun)) s"
}

# show_progress WHAT LOG: lines "ninja BUILT ALL SECONDS ..." become progress, others go into the file LOG.
show_progress() {
  local line built all seconds text shown=0
  while IFS= read -r line; do
    if ! [[ $line =~ ^ninja\ ([0-9]+)\ ([0-9]+)\ ([0-9]+) ]]; then
      printf '%s\n' "$line" >>"$2"
      continue
    fi
    built=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} seconds=${BASH_REMATCH[3]}
    text="$1: $built of $all$(time_left "$built" "$all" "$seconds")"
    if [ -t 2 ]; then
      printf '\r%s\e[K' "$text" >&2
    elif [ "$seconds" -ge $((shown + 30)) ]; then
      say "$text"
      shown=$seconds
    fi
  done
  [ ! -t 2 ] || printf '\r\e[K' >&2
}

time_left() {  # time_left BUILT ALL SECONDS: if as many a second are done on; nothing in the first seconds
  [ "$1" -gt 0 ] && [ "$3" -ge 10 ] || return 0
  local left=$(($3 * ($2 - $1) / $1))
  if [ $left -ge 100 ]; then echo ", $(((left + 30) / 60)) min left"; else echo ", $left s left"; fi
}

build() {
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER="env;CCACHE_DEPEND=1;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache")
  timed "configuring build/$preset" cmake --preset "$preset" -DHEED_TORCH_ROOT="$LIBTORCH" "${launcher[@]}" \
    "${options[@]}"
  counted cmake --build --preset "$preset"
}

# Which device heed computes on unless it is told otherwise, by what the program itself finds.
tell_device() {
  local program=build/$preset/bin/heed-torch devices
  [ -x "$program" ] || return 0
  # What it says of a device that is not there: how many there are.
  devices=$({ "$program" translate --model none --device cuda:9999 2>&1 || true; } |
    sed -n 's/.*this machine has \([0-9]*\) CUDA.*/\1/p')
  if [ "${devices:-0}" -gt 0 ]; then
    say "heed computes on the GPU, of $devices, unless --device says otherwise"
  elif ! has_gpu; then
    say "heed computes on the CPU: this machine has no GPU that CUDA could use"
  elif [ -e "$LIBTORCH/lib/libtorch_cuda.so" ]; then
    say "heed computes on the CPU: LibTorch in $LIBTORCH cannot use this machine's GPU; is its driver as new as it needs?"
  else
    say "heed computes on the CPU: LibTorch in $LIBTORCH is built without CUDA, which this machine's GPU would need"
  fi
}

# CMake refuses a build tree whose clone was moved or renamed, in many lines.
refuse_moved_tree() {
  local made_in
  made_in=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "build/$preset/CMakeCache.txt" 2>/dev/null) || return 0
  [ -z "$made_in" ] || [ "$made_in" -ef "$PWD" ] && return
  say "build/$preset was made in another folder, $made_in: remove it and run this again"
  exit 1
}

[ -n "$only_packages" ] || refuse_moved_tree
install_packages
[ -z "$only_packages" ] || exit 0
[ -z "$peers" ] || install_peers
find_torch
build
tell_device
