// The Transformer encoder (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1): embeddings and
// positions, then N equal layers.
#pragma once

#include <torch/nn/modules/container/modulelist.h>

#include "heed/models/encoder.h"
#include "heed/models/transformer/layer.h"
#include "heed/nn/positions/positions.h"

namespace heed::models {

class TransformerEncoder : public Encoder {
 public:
  TransformerEncoder(const TransformerLayerOptions& options, const SourceEmbedding& source);

  Memory forward(const Tensor& source) override;
  std::optional<int64_t> max_length() const override;

  nn::TokenEmbedding embedding;
  nn::Positions positions;
  torch::nn::ModuleList layers;  ///< TransformerEncoderLayer
  nn::Norm norm;                 ///< behind the last layer, with pre-norm

 private:
  TransformerLayerOptions options_;
};

}  // namespace heed::models
