#!/usr/bin/env bash
# Compares a GPU with the CPU: the networks, searches and trainings of device_test, which otherwise run on the fake device.
#
#   tests/device/run_on_cuda.sh [BUILD]    BUILD: build/dev; HEED_WHOLE_GRID=1 for all networks
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${1:-build/dev}
export HEED_SOURCE_DIR=$PWD HEED_BINARY_DIR=$PWD/$build
HEED_CUDA=1 "$build/bin/device_test" --gtest_filter='-FakeDevice.*:Waits.*:Transfer.*:DeviceCommands.*'
"$build/bin/models_test" --gtest_filter='*Cuda*'
"$build/bin/nn_test" --gtest_filter='*Cuda*'
