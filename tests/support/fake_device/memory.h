// The fake device's memory, and the host's that is pinned for it.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>

namespace heed::test_support {

using at::Tensor;

/// The index of the device that this thread allocates on.
c10::DeviceIndex& current_fake_device();

/// Memory of the current device: an address that may not be read nor written. It holds NaN until an operator writes.
c10::Allocator* fake_allocator();
/// Memory of the host from which copies to the device need not be waited for.
c10::Allocator* pinned_allocator();
bool is_pinned(const void* address);

/// A CPU tensor with the same numbers in the same memory; a CPU tensor itself.
Tensor on_host(const Tensor& x);

/// Makes room for `bytes` in a tensor's storage, which never shrinks.
void grow_storage(const Tensor& x, size_t bytes);

}  // namespace heed::test_support
