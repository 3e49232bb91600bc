// The state of decoding with a recurrent network: the state of every layer, the readout for input feeding, and, once
// per sentence, the source for attention.
#pragma once

#include <cstdint>
#include <vector>

#include "heed_torch/models/common/decoder.h"
#include "heed_torch/nn/attention/memory_attention.h"

namespace heed::models {

/// The state at a target position. The first two dimensions of the members are the rows, [S, beam].
struct RnnPosition {
  std::vector<CellState> layers;  ///< float [S, beam, d_hidden]
  Tensor feed;                    ///< float [S, beam, d_model]: the readout of the previous position; undefined without
                                  ///< input feeding
  Tensor coverage;  ///< float [S, beam, source, width], see heed_torch/nn/attention/coverage.h; undefined without
                    ///< coverage
};

class RnnState : public DecoderState {
 public:
  void select(const Selection& going_on) override;
  void join(DecoderState&& admitted) override;

  RnnPosition at;
  nn::AttendedMemory memory;  ///< undefined members without attention
};

}  // namespace heed::models
