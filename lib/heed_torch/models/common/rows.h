// Selects and joins rows of decoder states. Undefined tensors stay undefined.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "heed_torch/models/common/selection.h"

namespace heed::models {

using at::Tensor;

/// The given rows of the first dimension. rows: int64 [n].
Tensor selected(const Tensor& x, const Tensor& rows);

/// Each hypothesis continues its parent. x: [S, beam, ...] -> [S', beam, ...].
Tensor continued(const Tensor& x, const Selection& going_on);

/// Concatenates along the first dimension: [a, ...] and [b, ...] -> [a + b, ...]. In dimension `padded`, the shorter
/// tensor is padded with `value`.
Tensor joined(const Tensor& first, const Tensor& second, int64_t padded, const at::Scalar& value = 0);
/// The same for tensors that differ only in the first dimension.
Tensor joined(const Tensor& first, const Tensor& second);

}  // namespace heed::models
