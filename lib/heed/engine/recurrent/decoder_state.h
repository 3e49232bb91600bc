// What a recurrent decoder remembers of one sentence: a row of numbers for each hypothesis, the source as attention
// sees it, and the tapes of cells that have one. A step reads the rows of before and writes others; that a beam
// continues another's hypothesis changes only which row it reads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heed/engine/common/beam_past.h"
#include "heed/engine/common/coders.h"
#include "heed/engine/recurrent/source_attention.h"

namespace heed::engine {

/// Where the parts of a hypothesis' row begin, in floats.
struct StateLayout {
  struct Layer {
    int64_t hidden = 0;
    int64_t cell = 0;
    int64_t recall = 0;
  };
  std::vector<Layer> layers;
  int64_t feed = 0;      ///< the readout that is fed back
  int64_t coverage = 0;  ///< the last part: its width depends on the sentence
};

class RecurrentState : public SentenceState {
 public:
  RecurrentState(int64_t beam, int64_t row_width);

  void select(std::span<const int32_t> parents) override;
  const float* before(int64_t beam) const { return before_.data() + parents_[static_cast<size_t>(beam)] * width_; }
  float* after(int64_t beam) { return after_.data() + beam * width_; }
  /// What was written becomes what is read: of the initial state, or of a step.
  void begin();
  void advance();
  int64_t position() const { return position_; }  ///< steps taken

  AttendedSource source;
  std::optional<BeamPast>
      tapes;  ///< entries of heed_torch/nn/recurrent/memory_tape.h; the first is of the initial state

 private:
  int64_t width_;
  int64_t position_ = 0;
  std::vector<float> before_, after_;  // [beam][width]
  std::vector<int64_t> parents_;       // the row of before_ that each beam continues
};

}  // namespace heed::engine
