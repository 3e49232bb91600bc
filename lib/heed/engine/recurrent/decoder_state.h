// What a recurrent decoder remembers of one sentence: a row of numbers for each hypothesis, the source as attention sees
// it, and the tapes of cells that have one. A step reads the rows of before and writes others; that a beam continues
// another's hypothesis changes only which row it reads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heed/engine/coders.h"
#include "heed/engine/recurrent/source_attention.h"
#include "heed/engine/recurrent/tape.h"

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

/// All states of the cells of one sentence's beams: the first entry of a layer is that of the initial state.
class BeamTapes {
 public:
  BeamTapes(int64_t layers, int64_t beam, int64_t entry_width)
      : beam_(beam), width_(entry_width), entries_(static_cast<size_t>(layers)), places_(static_cast<size_t>(beam), std::vector<int64_t>{0}) {
    for (auto& entries : entries_) entries.resize(static_cast<size_t>(width_));
  }

  /// Room for the entry of one more step of every beam.
  void append();
  void select(std::span<const int32_t> parents);
  float* first(size_t layer) { return entries_[layer].data(); }
  /// The entries before those that append() made room for, and the place of the new one.
  TapeRow row(size_t layer, int64_t beam);

 private:
  int64_t beam_, width_;
  std::vector<std::vector<float>> entries_;   // of each layer [1 + steps * beam][width]
  std::vector<std::vector<int64_t>> places_;  // of each beam
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
  std::optional<BeamTapes> tapes;

 private:
  int64_t width_;
  int64_t position_ = 0;
  std::vector<float> before_, after_;  // [beam][width]
  std::vector<int64_t> parents_;       // the row of before_ that each beam continues
};

}  // namespace heed::engine
