#include "heed_torch/nn/output_layer.h"

#include <utility>

#include <ATen/ops/zeros.h>

#include "heed_torch/nn/products/product.h"

namespace heed::nn {

OutputLayerImpl::OutputLayerImpl(const OutputLayerOptions& options, TokenEmbedding tied)
    : options_(options), tied_(std::move(tied)) {
  TORCH_CHECK(options.d_model > 0 && options.vocab_size > 0, "an output layer needs positive sizes, not `d_model` ",
              options.d_model, " and `vocab_size` ", options.vocab_size);
  if (tied_.is_empty()) {
    weight = register_parameter("weight", at::zeros({options.vocab_size, options.d_model}));
  } else {
    TORCH_CHECK(tied_->weight.size(0) == options.vocab_size && tied_->weight.size(1) == options.d_model,
                "the tied embedding must be [", options.vocab_size, ", ", options.d_model, "], not ",
                tied_->weight.sizes());
  }
  if (options.bias) bias = register_parameter("bias", at::zeros({options.vocab_size}));
}

const Tensor& OutputLayerImpl::matrix() const { return tied_.is_empty() ? weight : tied_->weight; }

Tensor OutputLayerImpl::forward(const Tensor& hidden) {
  TORCH_CHECK(hidden.dim() > 0 && hidden.size(-1) == options_.d_model, "`hidden` must be [..., ", options_.d_model,
              "], not ", hidden.sizes());
  return affine(hidden, matrix(), bias);
}

void OutputLayerImpl::initialize(Initializer& values) {
  if (weight.defined()) values.weight("weight", weight);
  if (bias.defined()) values.constant("bias", bias, 0);
}

}  // namespace heed::nn
