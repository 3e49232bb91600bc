// An accelerator that is none, for tests on machines without a GPU. Tensors of `fake:0` and `fake:1` have addresses
// that the host may not touch, and every operator on them is computed by LibTorch's CPU code on numbers kept elsewhere.
// It fails where CUDA fails: host code that reads such a tensor's memory crashes, an operator refuses tensors of
// several devices and generators of another one, and nothing is drawn from a generator of its own that no checkpoint
// would have. It says what CUDA would wait for, and what would be copied to it (events.h). What it cannot show: other
// sums' order, kernels' speed and memory, and work that is still under way when the host goes on.
//
// It is LibTorch's PrivateUse1, the place for accelerators from outside of LibTorch.
#pragma once

#include <c10/core/Device.h>

namespace heed::test_support {

constexpr c10::DeviceIndex kFakeDevices = 2;

/// Registers the accelerator with LibTorch, once a process; before any other use of it.
void use_fake_device();

/// The device of that index.
inline c10::Device fake_device(c10::DeviceIndex index = 0) { return {c10::DeviceType::PrivateUse1, index}; }

}  // namespace heed::test_support
