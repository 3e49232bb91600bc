// The recurrent encoder: the source reader's output, then a stack of recurrent layers. With both directions it is the
// encoder (annotation network) of Bahdanau et al. 2015 (https://arxiv.org/abs/1409.0473, section 3.2).
#pragma once

#include <vector>

#include <torch/nn/modules/container/modulelist.h>

#include "heed/architecture/rnn_options.h"
#include "heed_torch/models/common/encoder.h"
#include "heed_torch/nn/recurrent/layer.h"

namespace heed::models {

class RnnEncoder : public Encoder {
 public:
  /// dropout: on the input of every layer.
  RnnEncoder(const RnnEncoderOptions& options, double dropout, std::shared_ptr<SourceReader> source);

  torch::nn::ModuleList layers;  ///< nn::RecurrentLayer

 protected:
  Memory encode(const SourceStates& source) override;

 private:
  std::vector<RnnEncoderLayer> described_;
  double dropout_;
};

}  // namespace heed::models
