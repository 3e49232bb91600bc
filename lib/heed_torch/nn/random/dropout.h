// Dropout (Srivastava et al. 2014, https://jmlr.org/papers/v15/srivastava14a.html), in its inverted form: an element
// is zeroed with probability p, the others are divided by 1 - p, so that the expectation is x and nothing need be
// done when translating.
//
// The mask is a function of (key, element index in contiguous order), the key that of the open nn::RandomScope's next
// draw. On the CPU it is computed in the same pass as the product and again in the backward pass, so that nothing is
// kept and the number of threads does not matter. On other devices a torch generator seeded from the key draws it,
// and it is kept for the backward pass: a CUDA run has other masks than a CPU run.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// x with dropout (write nn::dropout: at::dropout is a candidate otherwise). x: floating point, any shape; the result
/// has its shape and dtype. probability: in [0, 1), in steps of 2^-16 (one that is not 0 is at least one step); the
/// scale is exact for the step taken. Returns x itself when not `training` or probability is 0; otherwise takes one
/// draw of the open RandomScope.
Tensor dropout(const Tensor& x, double probability, bool training);

/// residual + dropout(x), in one pass: the end of every residual branch. residual and x: the same shape.
Tensor dropout_add(const Tensor& residual, const Tensor& x, double probability, bool training);

}  // namespace heed::nn
