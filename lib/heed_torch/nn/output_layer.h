// The output layer: logits = hidden W^T + b, one for each word of the target vocabulary. W is its own, or that of the
// target embedding (tied; Press and Wolf 2017, https://arxiv.org/abs/1608.05859; with a joint vocabulary also that of
// the source: Vaswani et al. 2017, section 3.4). Vaswani et al. have no bias, the recurrent papers have one.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/embedding.h"
#include "heed_torch/nn/initialization.h"

namespace heed::nn {

struct OutputLayerOptions {
  int64_t d_model;     ///< width of the hidden states
  int64_t vocab_size;  ///< words, special ids included
  bool bias = false;   ///< whether b is added
  bool operator==(const OutputLayerOptions&) const = default;
};

class OutputLayerImpl : public torch::nn::Module, public Initialized {
 public:
  /// tied: the embedding whose weight [vocab_size, d_model] serves as W. It is registered by its owner and not here, so
  /// that it is counted, saved and updated once. Null: W is this layer's own.
  explicit OutputLayerImpl(const OutputLayerOptions& options, TokenEmbedding tied = nullptr);

  /// hidden: float [..., d_model] -> logits, float [..., vocab_size].
  Tensor forward(const Tensor& hidden);
  /// W, own or tied: [vocab_size, d_model].
  const Tensor& matrix() const;
  void initialize(Initializer& values) override;
  const OutputLayerOptions& options() const { return options_; }

  Tensor weight;  ///< [vocab_size, d_model], undefined if tied
  Tensor bias;    ///< [vocab_size], undefined without bias

 private:
  OutputLayerOptions options_;
  TokenEmbedding tied_;
};
TORCH_MODULE(OutputLayer);

}  // namespace heed::nn
