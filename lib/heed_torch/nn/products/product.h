// Matrix multiplications, which are most of the arithmetic of a network. On a CPU, LibTorch multiplies float32 matrices
// with MKL, which uses only short vectors on processors that are not Intel's. oneDNN uses the widest vectors of each
// processor, at the same precision. Linear layers and the output layer use this file.
//
// Mixed precision on the CPU: inside a RoundedProducts scope, the operands of these multiplications are rounded to
// bfloat16 and the sums are float32. Everything else stays float32, including attention. (LibTorch's autocast also
// makes values in between bfloat16, and generates code for every new shape.) A CPU without AVX512-BF16 instructions
// multiplies the rounded numbers as float32: the same sums except for their order, about as fast as without rounding.
#pragma once

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// Whether rounded operands are faster on this CPU: it can multiply bfloat16 matrices with sums in float32.
bool has_fast_rounded_products();

/// A guard: this thread's multiplications of float32 matrices on the CPU round their operands to bfloat16. The guard
/// must also be alive during their backward passes.
class RoundedProducts {
 public:
  explicit RoundedProducts(bool active);
  ~RoundedProducts();
  RoundedProducts(const RoundedProducts&) = delete;
  RoundedProducts& operator=(const RoundedProducts&) = delete;

 private:
  bool outer_;
};

/// Whether this thread has an active guard.
bool rounds_products();

/// The operand that multiplications in this scope read for `x`, so that an operand of several is rounded only once:
/// bfloat16 without a gradient, or x itself.
Tensor as_operand(const Tensor& x);

/// a b^T, plus bias in each row if it is defined. No gradients: throws c10::Error if one is needed. a: [M, K]; b: [N,
/// K]; bias: [N] -> [M, N]. All have the same type, or are results of as_operand with a float32 bias and result.
/// Transposed views are not copied.
Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias = {});

/// result = a b^T, or result += a b^T. result: [M, N], contiguous; a and b as above. All three functions throw
/// c10::Error if sizes do not match.
void assign_product(const Tensor& result, const Tensor& a, const Tensor& b);
void add_product(const Tensor& result, const Tensor& a, const Tensor& b);

/// x W^T + b, with gradients; under autocast in its dtype. x: float [..., in]; weight: [out, in]; bias: [out] or
/// undefined -> [..., out].
Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

}  // namespace heed::nn
