// Selects and joins rows of decoder states.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "heed_torch/models/common/selection.h"

namespace heed::models {

using at::Tensor;

/// These rows of the first dimension; an undefined tensor stays so. rows: int64 [n].
Tensor selected(const Tensor& x, const Tensor& rows);

/// Each beam continues its parent. x: [S, beam, ...] -> [S', beam, ...]. An undefined tensor stays so.
Tensor continued(const Tensor& x, const Selection& going_on);

/// Both along the first dimension: [a, ...] and [b, ...] -> [a + b, ...]; dimension `padded` of the shorter one is
/// filled up with `value`. Undefined tensors stay so.
Tensor joined(const Tensor& first, const Tensor& second, int64_t padded, const at::Scalar& value = 0);
/// The same for tensors that differ in nothing but the first dimension.
Tensor joined(const Tensor& first, const Tensor& second);

}  // namespace heed::models
