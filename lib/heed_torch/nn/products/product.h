// Matrix multiplications, which are most of the arithmetic of a network. On a CPU, LibTorch multiplies float32 matrices
// with MKL, which uses only short vectors on processors that are not Intel's. oneDNN uses the widest vectors of each
// processor, at the same precision. Linear layers and the output layer use this file.
//
// Mixed precision on the CPU: inside a RoundedProducts scope, matrix multiplications read bfloat16 numbers and sum in
// float32. Each number is rounded once, by the operation that computes it:
//   weights       once per training step, for all replicas (RoundedWeights)
//   activations   of a Transformer, bfloat16 from the embedding to the output layer, and their gradients too
//                 (activations(), affine()). Each operation reads bfloat16, computes in float32 and writes bfloat16:
//                 normalization, softmax, dropout. Other networks have float32 activations; affine() rounds them
//   logits        float32 in the cache; their gradient is bfloat16 (losses/cross_entropy.h)
// Parameters, their gradients, losses and the optimizer are float32.
// A CPU without AVX512-BF16 instructions multiplies the rounded numbers as float32: the same sums except for their
// order, about as fast as without rounding.
//
// Which library multiplies bfloat16 depends only on the processor and on the type of the result, so that a resumed
// training has the same bits. GFLOP/s of one core, [2000, k] x [k, n]:
//                       k x n       dnnl_gemm_bf16bf16f32   at::mm
//   AMD Zen 4           128 x 256   222                     219, and 0.5 ms of code generation for each new shape
//                       512 x 2048  219                     206
//   Intel with AMX      128 x 256   464                     1231
//                       512 x 2048  800                     1392
// So with AMX at::mm computes results in bfloat16. All other results are from dnnl_gemm_bf16bf16f32, which has float32
// results. LibTorch's own operations have none of those on a CPU.
#pragma once

#include <mutex>
#include <unordered_map>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// Whether rounded operands are faster on this CPU: it can multiply bfloat16 matrices with sums in float32.
bool has_fast_rounded_products();

/// The bfloat16 copies of the weights of a training step. The weights must not change during its life. Safe from
/// several threads.
class RoundedWeights {
 public:
  /// weight: float32, contiguous, on the CPU. The copy is made at the first call, also for tensors that share memory
  /// with this one.
  Tensor of(const Tensor& weight);

 private:
  struct Copy {
    std::once_flag made;
    Tensor numbers;
  };
  std::mutex mutex_;
  std::unordered_map<const void*, Copy> copies_;  // by the memory of the weight
};

/// A guard: this thread's multiplications of float32 matrices on the CPU round their operands to bfloat16. The guard
/// must also be alive during their backward passes. weights: keeps the copies of parameters; null: each multiplication
/// rounds them.
class RoundedProducts {
 public:
  explicit RoundedProducts(bool active, RoundedWeights* weights = nullptr);
  ~RoundedProducts();
  RoundedProducts(const RoundedProducts&) = delete;
  RoundedProducts& operator=(const RoundedProducts&) = delete;

 private:
  bool outer_;
  RoundedWeights* outer_weights_;
};

/// Whether this thread has an active guard.
bool rounds_products();

/// x in the type of activations in this scope, differentiable: bfloat16, or x itself outside of a scope.
Tensor activations(const Tensor& x);

/// The operand that multiplications in this scope read for `x`, so that an operand of several is rounded only once:
/// bfloat16 without a gradient, or x itself.
Tensor as_operand(const Tensor& x);

/// a b^T, plus bias in each row if it is defined. No gradients: throws c10::Error if one is needed. a: [M, K]; b: [N,
/// K]; bias: [N] -> [M, N]. All have the same type, or are results of as_operand with a float32 bias and result.
/// Transposed views are not copied.
Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias = {});

/// result = a b^T, or result += a b^T. result: [M, N], contiguous; a and b as above. A result that is only assigned may
/// be bfloat16 if the operands are. All three functions throw c10::Error if sizes do not match.
void assign_product(const Tensor& result, const Tensor& a, const Tensor& b);
void add_product(const Tensor& result, const Tensor& a, const Tensor& b);

/// x W^T + b, with gradients; under autocast in its dtype. x: float [..., in], in a RoundedProducts scope also
/// bfloat16; weight: float [out, in]; bias: float [out] or undefined -> [..., out], of the type of x.
Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

}  // namespace heed::nn
