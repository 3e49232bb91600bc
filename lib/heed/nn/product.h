// Products of matrices, the bulk of all arithmetic here. On a CPU LibTorch multiplies float32 matrices with MKL, which
// keeps to short vectors on processors that are not Intel's; oneDNN has code for the widest ones that the processor has,
// in the same precision. Every product with a weight goes through this file.
#pragma once

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// a b^T, plus bias in each row if it is defined; no gradients (c10::Error if one is wanted). a: [M, K]; b: [N, K]; bias: [N] -> [M, N], all of one
/// type. Transposed views cost no copy.
Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias = {});

/// result = a b^T, or result += a b^T. result: [M, N], contiguous; likewise.
void assign_product(const Tensor& result, const Tensor& a, const Tensor& b);
void add_product(const Tensor& result, const Tensor& a, const Tensor& b);

/// x W^T + b, with gradients; under autocast in its type. x: float [..., in]; weight: [out, in]; bias: [out] or undefined
/// -> [..., out].
Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

}  // namespace heed::nn
