// The recurrent encoder: embeddings, then a stack of recurrent layers. With both directions it is the annotation
// network of Bahdanau et al. 2015 (https://arxiv.org/abs/1409.0473, section 3.2).
#pragma once

#include <torch/nn/modules/container/modulelist.h>

#include "heed/models/encoder.h"
#include "heed/models/rnn/options.h"
#include "heed/nn/embedding.h"
#include "heed/nn/recurrent/layer.h"

namespace heed::models {

class RnnEncoder : public Encoder {
 public:
  /// dropout: on the input of every layer.
  RnnEncoder(const RnnEncoderOptions& options, double dropout, const SourceEmbedding& source);

  Memory forward(const Tensor& source) override;

  nn::TokenEmbedding embedding;
  torch::nn::ModuleList layers;  ///< nn::RecurrentLayer

 private:
  RnnEncoderOptions options_;
  double dropout_;
};

}  // namespace heed::models
