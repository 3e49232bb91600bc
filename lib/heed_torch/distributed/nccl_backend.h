// What carries tensors from GPU to GPU: NCCL, of LibTorch's c10d.
#pragma once

#include <cstdint>

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace heed::distributed {

/// Whether this build has NCCL: made with a LibTorch for CUDA and the headers of CUDA and NCCL.
bool has_nccl();

/// Each rank's tensors are of a GPU of its own. Throws Error where this build has no NCCL.
c10::intrusive_ptr<c10d::Backend> nccl_backend(const c10::intrusive_ptr<c10d::Store>& store, int64_t rank,
                                               int64_t ranks);

}  // namespace heed::distributed
