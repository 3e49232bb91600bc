// The orthogonal matrix of Muon's step (optimizer.h).
#pragma once

#include <ATen/core/Tensor.h>

namespace heed::training {

using at::Tensor;

/// U V^T of each u = U S V^T, approximately: five iterations of Newton and Schulz (Jordan et al. 2024,
/// https://kellerjordan.github.io/posts/muon), on the transpose if u has more rows than columns:
///   x = u / |u|;  five times: a = x x^T;  x = 3.4445 x + (-4.7750 a + 2.0315 a^2) x
/// The singular values of the result are between 0.6 and 1.2, unless those of u are below |u| / 800. Zeros for zeros.
/// Matrix multiplications have the precision of the scope (nn::RoundedProducts, autocast).
/// u: float [matrices, rows, columns].
Tensor orthogonal(const Tensor& u);

}  // namespace heed::training
