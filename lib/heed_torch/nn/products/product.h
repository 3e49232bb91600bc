// Products of matrices, the bulk of all arithmetic here. On a CPU LibTorch multiplies float32 matrices with MKL, which
// keeps to short vectors on processors that are not Intel's; oneDNN has code for the widest ones that the processor
// has, in the same precision. Every product of a linear map or of the output layer goes through this file.
//
// Mixed precision on the CPU: inside a RoundedProducts scope the operands of these products are rounded to bfloat16
// and the products summed in float32, while all else stays float32, attention included. (LibTorch's autocast makes what
// is between bfloat16 as well, and its products make code for every new shape.) A CPU without instructions for bfloat16
// multiplies the rounded numbers as float32: the same sums but for their order, about as fast as without rounding.
#pragma once

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// Whether this machine's CPU is faster with rounded operands: it has products of bfloat16 matrices with sums in
/// float32.
bool has_fast_rounded_products();

/// A guard: this thread's products of float32 matrices on the CPU round their operands to bfloat16, those of backward
/// passes as well, which must run while it lives.
class RoundedProducts {
 public:
  explicit RoundedProducts(bool active);
  ~RoundedProducts();
  RoundedProducts(const RoundedProducts&) = delete;
  RoundedProducts& operator=(const RoundedProducts&) = delete;

 private:
  bool outer_;
};

/// Whether this thread is in such a scope.
bool rounds_products();

/// What products of this scope read of `x`, so that an operand of several is rounded once: bfloat16, without a
/// gradient, or x itself.
Tensor as_operand(const Tensor& x);

/// a b^T, plus bias in each row if it is defined; no gradients (c10::Error if one is wanted). a: [M, K]; b: [N, K];
/// bias: [N] -> [M, N]. All of one type, or operands of one as_operand with a float32 bias, whose product is float32.
/// Transposed views cost no copy.
Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias = {});

/// result = a b^T, or result += a b^T. result: [M, N], contiguous; likewise. All three throw c10::Error if sizes do not
/// agree.
void assign_product(const Tensor& result, const Tensor& a, const Tensor& b);
void add_product(const Tensor& result, const Tensor& a, const Tensor& b);

/// x W^T + b, with gradients; under autocast in its type. x: float [..., in]; weight: [out, in]; bias: [out] or
/// undefined
/// -> [..., out].
Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

}  // namespace heed::nn
