// Products of matrices, the bulk of all arithmetic here. On a CPU LibTorch multiplies float32 matrices with MKL, which
// keeps to short vectors on processors that are not Intel's; oneDNN, which LibTorch brings too, makes code for the
// widest ones that the processor has, in the same precision. Every product with a weight goes through this file.
#pragma once

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// a b^T, plus bias in each row if it is defined; no gradients. a: [M, K]; b: [N, K]; bias: [N] -> [M, N], of the type
/// of a, which b and bias must have too. Transposed views cost no copy.
Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias = {});

/// x W^T + b, with gradients; under autocast in its type. x: float [..., in]; weight: [out, in]; bias: [out] or undefined
/// -> [..., out].
Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

}  // namespace heed::nn
