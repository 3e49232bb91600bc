// The recurrent encoder of heed_torch/models/rnn/encoder.h. The inputs of a layer are multiplied for all positions of
// all sentences at once. The recurrent steps run over all sentences together, longest first, so that unfinished
// sentences are the first rows.
#pragma once

#include <vector>

#include "heed/architecture/rnn_options.h"
#include "heed/engine/common/embedding.h"
#include "heed/engine/common/encoder_decoder.h"
#include "heed/engine/recurrent/cell.h"

namespace heed::engine {

class RecurrentEncoder : public Encoder {
 public:
  RecurrentEncoder(const Weights& weights, const models::RnnEncoderOptions& options, const EmbeddingTable& embedding,
                   Precision precision);
  std::unique_ptr<EncoderRun> begin_run() const override;

 private:
  class Run;
  struct Layer {
    std::optional<RecurrentCell> left_to_right = {}, right_to_left = {};
    int64_t width;  ///< of the states, both directions together
    bool residual;
  };

  EmbeddingTable embedding_;
  Precision precision_;
  std::vector<Layer> layers_;
};

}  // namespace heed::engine
