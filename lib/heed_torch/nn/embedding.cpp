#include "heed_torch/nn/embedding.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/zeros.h>

#include "heed_torch/nn/random/cutoff.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::nn {

TokenEmbeddingImpl::TokenEmbeddingImpl(const TokenEmbeddingOptions& options) : options_(options) {
  TORCH_CHECK(options.vocab_size > 0 && options.d_model > 0, "an embedding needs positive sizes, not `vocab_size` ",
              options.vocab_size, " and `d_model` ", options.d_model);
  weight = register_parameter("weight", at::zeros({options.vocab_size, options.d_model}));
}

Tensor TokenEmbeddingImpl::forward(const Tensor& tokens) {
  TORCH_CHECK(tokens.scalar_type() == at::kLong, "`tokens` must be int64, not ", tokens.scalar_type());
  Tensor vectors = at::embedding(weight, tokens, kPad);  // [..., d_model]
  if (options_.scale != 1) vectors.mul_(options_.scale);
  vectors = word_dropout(vectors, options_.word_dropout, is_training());
  return is_training() ? cut_second_pass(vectors, tokens) : vectors;
}

void TokenEmbeddingImpl::initialize(Initializer& values) {
  values.embedding("weight", weight);
  const at::NoGradGuard no_grad;
  weight[kPad].zero_();
}

}  // namespace heed::nn
