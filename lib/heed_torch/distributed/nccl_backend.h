// Sends tensors from GPU to GPU with NCCL, through LibTorch's c10d.
#pragma once

#include <cstdint>

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace heed::distributed {

/// Whether this build has NCCL: built with a LibTorch for CUDA and the headers of CUDA and NCCL.
bool has_nccl();

/// Each rank's tensors must be on its own GPU. Throws Error if this build has no NCCL.
c10::intrusive_ptr<c10d::Backend> nccl_backend(const c10::intrusive_ptr<c10d::Store>& store, int64_t rank,
                                               int64_t ranks);

}  // namespace heed::distributed
