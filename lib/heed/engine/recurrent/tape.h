// The attention of a recurrent cell to its own past states (heed_torch/nn/recurrent/memory_tape.h), on rows of floats.
// With W_x x made by the cell,
//   a_i = v . tanh(W_h h_i + W_x x + W_s h~),   s = softmax(a),   h~' = sum_i s_i h_i,   c~' = sum_i s_i c_i
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heed/engine/common/matrix.h"

namespace heed::engine {

/// What a step of one row has to do with its tape. An entry is [W_h h; h; c of an LSTM].
struct TapeRow {
  const float* entries = nullptr;  ///< those before are at entries + places[i]
  const int64_t* places = nullptr;
  int64_t count = 0;
  float* entry = nullptr;         ///< where the new one goes
  const float* recall = nullptr;  ///< h~ of the step before
  float* next_recall = nullptr;   ///< where that of this step goes, which may be the same
};

/// A state with its entry, or an input with what it recalls: W_x x, [d_hidden].
struct TapedState {
  const float* hidden;
  const float* cell;
  float* entry;
};
struct TapedInput {
  const float* input;
  const TapeRow* tape;
};

class TapeAttention {
 public:
  /// name: of the tape's parameters. cells: of an LSTM.
  TapeAttention(const Weights& weights, const std::string& name, int64_t d_hidden, bool cells, Precision precision);

  int64_t entry_width() const { return d_ + state_width(); }

  /// The memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision) {}
    Operand operand;
    Rows states, keys;
    Buffer<float> scores;
  };
  /// recalled: [rows, h~' and c~' side by side].
  void recall(std::span<const TapedInput> rows, Scratch& scratch, Rows& recalled) const;
  /// Writes the entries of new states.
  void enter(std::span<const TapedState> rows, Scratch& scratch) const;

 private:
  int64_t state_width() const { return cells_ ? 2 * d_ : d_; }

  int64_t d_;
  bool cells_;
  Matrix key_, recall_;
  std::span<const float> vector_;
};

}  // namespace heed::engine
