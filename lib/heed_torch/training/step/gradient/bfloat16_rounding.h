// Conversion of gradients to bfloat16, to send them to other ranks.
#pragma once

#include <ATen/core/Tensor.h>

namespace heed::training {

using at::Tensor;

/// Rounds float values (contiguous) to bfloat16 precision, in place.
void round_to_bfloat16(const Tensor& values);
/// Float values (contiguous) as a tensor of bfloat16.
Tensor as_bfloat16(const Tensor& values);

}  // namespace heed::training
