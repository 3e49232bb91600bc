// The state of a recurrent decoder for one sentence: a row of numbers per hypothesis, the source for attention, and
// memory tapes, if any. A step reads the old rows and writes new ones. If a beam continues another's hypothesis, only
// the row that it reads changes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heed/engine/common/beam_cache.h"
#include "heed/engine/common/encoder_decoder.h"
#include "heed/engine/recurrent/source_attention.h"

namespace heed::engine {

/// The offsets of the fields in a hypothesis' row, in floats.
struct StateLayout {
  struct Layer {
    int64_t hidden = 0;
    int64_t cell = 0;
    int64_t recall = 0;
  };
  std::vector<Layer> layers;
  int64_t feed = 0;      ///< the readout, as input of the next step
  int64_t coverage = 0;  ///< the last field: its width depends on the sentence
};

class RecurrentState : public SentenceState {
 public:
  RecurrentState(int64_t beam, int64_t row_width);

  void select(std::span<const int32_t> parents) override;
  const float* before(int64_t beam) const { return before_.data() + parents_[static_cast<size_t>(beam)] * width_; }
  float* after(int64_t beam) { return after_.data() + beam * width_; }
  /// Makes the rows just written the ones to read: begin() after the initial state, advance() after a step.
  void begin();
  void advance();
  int64_t position() const { return position_; }  ///< number of steps

  AttendedSource source;
  std::optional<BeamCache>
      tapes;  ///< tape entries (heed_torch/nn/recurrent/memory_tape.h); the first is the initial state

 private:
  int64_t width_;
  int64_t position_ = 0;
  std::vector<float> before_, after_;  // [beam][width]
  std::vector<int64_t> parents_;       // the row of before_ that each beam continues
};

}  // namespace heed::engine
