#include "heed_torch/nn/masks.h"

#include <ATen/ATen.h>

namespace heed::nn {
namespace {

Tensor bias_of(const Tensor& allowed, at::ScalarType dtype) {
  const at::ScalarType of_scores = dtype == at::kBFloat16 ? at::kFloat : dtype;
  return at::zeros(allowed.sizes(), allowed.options().dtype(of_scores))
      .masked_fill_(allowed.bitwise_not(), AttentionMask::kForbidden);
}

}  // namespace

Tensor real_tokens(const Tensor& tokens) { return tokens.ne(0); }

double AttentionMask::forbidden_score(at::ScalarType type) { return type == at::kHalf ? -6e4 : -1e30; }

AttentionMask AttentionMask::of_keys(const Tensor& real, at::ScalarType dtype) {
  TORCH_CHECK(real.dim() == 2, "`real` must be [S, key], found ", real.sizes());
  const Tensor allowed = real.unsqueeze(1).unsqueeze(1);  // [S, 1, 1, key]
  return {.allowed = allowed, .bias = bias_of(allowed, dtype), .blind = allowed.any(-1, true).bitwise_not()};
}

AttentionMask AttentionMask::causal(int64_t length, const Tensor& states) {
  const Tensor allowed = at::ones({length, length}, states.options().dtype(at::kBool)).tril_();
  const Tensor shaped = allowed.view({1, 1, length, length});
  return {.allowed = shaped, .bias = bias_of(shaped, states.scalar_type()), .blind = {}};
}

}  // namespace heed::nn
