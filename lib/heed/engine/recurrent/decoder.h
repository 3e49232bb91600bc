// The recurrent decoder, one position of all hypotheses at a time. heed_torch/models/rnn/decoder.h has the formulas.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/architecture/rnn_options.h"
#include "heed/engine/common/embedding.h"
#include "heed/engine/common/encoder_decoder.h"
#include "heed/engine/recurrent/cell.h"
#include "heed/engine/recurrent/decoder_state.h"
#include "heed/engine/recurrent/initial_state.h"
#include "heed/engine/recurrent/readout.h"
#include "heed/engine/recurrent/source_attention.h"

namespace heed::engine {

class RecurrentDecoder : public Decoder {
 public:
  /// memory: the shape of the encoder output; d_memory is 0 for a language model.
  RecurrentDecoder(const Weights& weights, const models::RnnDecoderOptions& options, const EmbeddingTable& embedding,
                   const models::MemoryShape& memory, Precision precision);
  std::unique_ptr<DecoderRun> begin_run() const override;

 private:
  class Run;

  bool attends_before() const { return std::holds_alternative<models::AttentionBeforeCell>(options_.attention); }
  int64_t d_model() const { return embedding_.weight.columns; }
  StateLayout layout() const;

  models::RnnDecoderOptions options_;
  EmbeddingTable embedding_;
  Precision precision_;
  InitialState initial_state_;
  std::vector<RecurrentCell> cells_;
  std::optional<SourceAttention> attention_;
  Readout readout_;
  StateLayout layout_;
};

}  // namespace heed::engine
