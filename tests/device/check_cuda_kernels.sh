#!/usr/bin/env bash
# Checks that each operator that heed calls on a device has a kernel for CUDA.
#
#   tests/device/check_cuda_kernels.sh TORCH [BUILD]   TORCH: the folder of a LibTorch or PyTorch package with CUDA;
#                                                      BUILD: build/dev, whose bin/device_test runs the whole grid
#
# A GPU is not needed. Such a package without a GPU, into an environment of its own:
#   python3 -m venv /tmp/cuda && /tmp/cuda/bin/pip install torch===2.13.0   # TORCH: /tmp/cuda/lib/python3*/site-packages/torch
set -euo pipefail
cd "$(dirname "$0")/../.."

torch=${1:?the folder of a LibTorch with CUDA}
build=${2:-build/dev}
[ -e "$torch/lib/libtorch_cuda.so" ] || { echo "$torch has no lib/libtorch_cuda.so" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

HEED_WHOLE_GRID=1 HEED_OPERATORS_FILE=$folder/operators HEED_SOURCE_DIR=$PWD HEED_BINARY_DIR=$PWD/$build \
  OMP_NUM_THREADS=1 "$build/bin/device_test" --gtest_brief=1 --gtest_filter='-DeviceCommands.*'
# PyTorch's package has its CUDA libraries in packages beside it.
libraries=$torch/lib:$(find "$(dirname "$torch")"/nvidia -maxdepth 3 -name lib -printf '%p:' 2>/dev/null || true)
g++ -std=c++20 -O1 -isystem "$torch/include" tests/device/cuda_kernels.cpp -o "$folder/cuda_kernels" \
  -L"$torch/lib" -Wl,--no-as-needed -ltorch -ltorch_cuda -ltorch_cpu -lc10 -Wl,--allow-shlib-undefined
LD_LIBRARY_PATH=$libraries "$folder/cuda_kernels" "$folder/operators"
