#!/usr/bin/env bash
# Builds heed for ARM64 on another processor (a Debian system), and runs tests with qemu's emulation of that processor.
#
#   tests/arm64/run.sh [TEST...]     default: core engine nn quickstart
#
#   TEST         a test program, such as text for text_test
#   quickstart   trains a small model for a few steps and translates with it
#   translate    translates with the model in MODEL (default: runs/quickstart/model) in each precision, and compares with
#                the program of this processor in HEED (default: build/release/bin/heed)
#
# Everything that it makes is in build/arm64, 3 GB. It installs only the cross compiler, and only if that is missing. The
# emulation is 10 to 100 times as slow as a processor, so choose the tests.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD/build/arm64
sysroot=$root/sysroot
torch_version=$(sed -n 's/^torch_version=//p' cmake/bootstrap.sh)
tests=("$@")
[ $# -gt 0 ] || tests=(core engine nn quickstart)

say() { printf '%s\n' "$*" >&2; }

install_tools() {
  command -v aarch64-linux-gnu-g++ >/dev/null && return
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get install --yes --no-install-recommends g++-aarch64-linux-gnu
}

# apt-get with lists, archives and a status of its own, so that this system's packages stay as they are.
apt_of() {  # apt_of ARCHITECTURE ARGUMENT...
  local architecture=$1 state=$root/apt/$1
  shift
  mkdir -p "$state/lists/partial" "$state/archives/partial"
  : >"$state/status"
  apt-get -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" -o Dir::State="$state" \
    -o Dir::State::status="$state/status" -o Dir::Cache="$state" -o APT::Install-Recommends=false \
    -o Debug::NoLocking=true -o APT::Sandbox::User=root "$@" >"$state/log" || { cat "$state/log" >&2; return 1; }
}

# The packages that cmake/bootstrap.sh installs, for ARM64, in one folder.
make_sysroot() {
  [ -e "$root/packages" ] && return
  say "fetching packages for ARM64 into $sysroot ..."
  local packages
  packages=$(grep -o '\blib[a-z0-9-]*-dev\b\|nlohmann-json3-dev\|zlib1g-dev' cmake/bootstrap.sh | sort -u)
  apt_of arm64 update
  # shellcheck disable=SC2086
  apt_of arm64 --yes --download-only install $packages libstdc++-12-dev
  mkdir -p "$sysroot"
  for package in "$root"/apt/arm64/archives/*.deb; do dpkg-deb -x "$package" "$sysroot"; done
  touch "$root/packages"
}

fetch_emulator() {
  [ -e "$root/qemu-aarch64-static" ] && return
  say "fetching qemu ..."
  (cd "$root" && apt-get download qemu-user-static && dpkg-deb --fsys-tarfile qemu-user-static_*.deb |
    tar -xO ./usr/bin/qemu-aarch64-static >qemu-aarch64-static.part && chmod +x qemu-aarch64-static.part)
  mv "$root/qemu-aarch64-static.part" "$root/qemu-aarch64-static"
}

# LibTorch of PyPI's wheel, without its part for CUDA.
fetch_torch() {
  [ -e "$sysroot/opt/torch/version.py" ] && return
  say "fetching LibTorch $torch_version for ARM64 ..."
  python3 -m pip download --quiet --no-deps --dest "$root" --platform manylinux_2_28_aarch64 --python-version 3.11 \
    --only-binary=:all: "torch==$torch_version"
  mkdir -p "$sysroot/opt"
  python3 - "$root"/torch-"$torch_version"-*.whl "$sysroot/opt" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = [name for name in wheel.namelist() if name.startswith(("torch/include/", "torch/lib/", "torch/version.py"))
             and "libtorch_cuda" not in name]
    wheel.extractall(sys.argv[2], names)
PYTHON
}

build() {
  local launcher=() targets=() test
  command -v ccache >/dev/null &&
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER="env;CCACHE_DEPEND=1;CCACHE_SLOPPINESS=pch_defines,time_macros;ccache")
  for test in "${tests[@]}"; do
    case $test in
      quickstart) targets+=(heed-program heed-torch) ;;
      translate) targets+=(heed-program) ;;
      *) targets+=("${test}_test") ;;
    esac
  done
  cmake -S . -B "$root/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEED_BUILD_TESTS=ON -DHEED_WARNINGS_AS_ERRORS=ON \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/arm64.cmake" -DHEED_SYSROOT="$sysroot" -DHEED_TORCH_ROOT="$sysroot/opt/torch" \
    "${launcher[@]}"
  cmake --build "$root/build" --target "${targets[@]}"
}

emulated() {  # emulated PROGRAM ARGUMENT...
  local program=$1
  shift
  "$root/qemu-aarch64-static" -L "$sysroot" "$root/build/bin/$program" "$@"
}

quickstart() {
  local data=data/quickstart model=$root/quickstart
  rm -rf "$model"
  emulated heed-torch train --config recipes/quickstart/quickstart.toml --model "$model" --train.max-steps 10 \
    --valid.every 10 --valid.translate none --valid.metric loss --source $data/dev.en --target $data/dev.de \
    --valid-source $data/test.en --valid-target $data/test.de
  head -n 5 $data/test.en | emulated heed translate --model "$model"
}

# Sums have another order on other processors, so a few lines may differ.
translate() {
  local model=${MODEL:-runs/quickstart/model} heed=${HEED:-build/release/bin/heed} precision different
  head -n 100 data/quickstart/test.en >"$root/source"
  for precision in fp32 bf16 int8; do
    emulated heed translate --model "$model" --precision $precision <"$root/source" >"$root/there.$precision"
    "$heed" translate --model "$model" --precision $precision <"$root/source" >"$root/here.$precision"
    different=$(diff "$root/here.$precision" "$root/there.$precision" | grep -c '^<' || true)
    echo "$precision: $different of 100 translations differ from those of this processor"
    [ "$different" -le 5 ]
  done
}

mkdir -p "$root"
install_tools
make_sysroot
fetch_emulator
fetch_torch
build
export HEED_SOURCE_DIR=$PWD HEED_BINARY_DIR=$root/build OMP_NUM_THREADS=1
for test in "${tests[@]}"; do
  say "$test ..."
  case $test in
    quickstart | translate) "$test" ;;
    *) emulated "${test}_test" --gtest_brief=1 ;;
  esac
done
