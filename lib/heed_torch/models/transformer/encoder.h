// The Transformer encoder (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1): the source reader's
// output and positions, then N equal layers.
#pragma once

#include <torch/nn/modules/container/modulelist.h>

#include "heed_torch/models/common/encoder.h"
#include "heed_torch/models/transformer/layer.h"
#include "heed_torch/nn/positions/positions.h"

namespace heed::models {

class TransformerEncoder : public Encoder {
 public:
  TransformerEncoder(const TransformerLayerOptions& options, std::shared_ptr<SourceReader> source);

  nn::Positions positions;
  torch::nn::ModuleList layers;  ///< TransformerEncoderLayer
  nn::Norm norm;                 ///< after the last layer; only with pre-norm

 protected:
  Memory encode(const SourceStates& source) override;

 private:
  TransformerLayerOptions options_;
};

}  // namespace heed::models
