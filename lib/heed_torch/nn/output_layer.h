// The output layer: logits = hidden W^T + b, one for each token of the target vocabulary. W is a separate matrix or
// tied to the target embedding (Press and Wolf 2017, https://arxiv.org/abs/1608.05859). With a joint vocabulary it can
// also be tied to the source embedding (Vaswani et al. 2017, section 3.4). Vaswani et al. have no bias, the recurrent
// papers do.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/embedding.h"
#include "heed_torch/nn/initialization.h"

namespace heed::nn {

struct OutputLayerOptions {
  int64_t d_model;     ///< width of the hidden states
  int64_t vocab_size;  ///< tokens, including special ids
  bool bias = false;   ///< whether b is added
  bool operator==(const OutputLayerOptions&) const = default;
};

class OutputLayerImpl : public torch::nn::Module, public Initialized {
 public:
  /// tied: the embedding whose weight [vocab_size, d_model] is used as W. Its owner registers it, not this module, so
  /// that it is counted, saved and updated once. Null: W is a separate matrix.
  explicit OutputLayerImpl(const OutputLayerOptions& options, TokenEmbedding tied = nullptr);

  /// hidden: float [..., d_model] -> logits, float [..., vocab_size].
  Tensor forward(const Tensor& hidden);
  /// W, separate or tied: [vocab_size, d_model].
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
