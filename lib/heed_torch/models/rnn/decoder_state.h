// The state of decoding with a recurrent network: the state of every layer, the readout that is fed back, and the
// source as attention sees it, once for each sentence.
#pragma once

#include <cstdint>
#include <vector>

#include "heed_torch/models/common/decoder.h"
#include "heed_torch/nn/attention/memory_attention.h"

namespace heed::models {

/// Where a pass over the target stands. The members' first two dimensions are the rows, [S, beam].
struct RnnPosition {
  std::vector<CellState> layers;  ///< float [S, beam, d_hidden]
  Tensor feed;                    ///< float [S, beam, d_model]: the readout of the position before; undefined without
                                  ///< input feeding
  Tensor coverage;  ///< float [S, beam, source, width], see heed_torch/nn/attention/coverage.h; undefined without
};

class RnnState : public DecoderState {
 public:
  void select(const Selection& going_on) override;
  void join(DecoderState&& admitted) override;

  RnnPosition at;
  nn::AttendedMemory memory;  ///< undefined members without attention
};

}  // namespace heed::models
