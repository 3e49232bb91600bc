// The memory tape: attention of a recurrent cell to its own past states (heed_torch/nn/recurrent/memory_tape.h), on
// rows of floats. The cell computes W_x x;
//   a_i = v . tanh(W_h h_i + W_x x + W_s h~),   s = softmax(a),   h~' = sum_i s_i h_i,   c~' = sum_i s_i c_i
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heed/engine/common/matrix.h"

namespace heed::engine {

/// The tape of one row of a step. An entry is [W_h h; h; and for an LSTM c].
struct TapeRow {
  const float* entries = nullptr;  ///< the earlier entries are at entries + places[i]
  const int64_t* places = nullptr;
  int64_t count = 0;
  float* entry = nullptr;         ///< where to write the new entry
  const float* recall = nullptr;  ///< h~ of the previous step
  float* next_recall = nullptr;   ///< where to write h~ of this step; may be the same
};

/// A state and where to write its entry; an input W_x x, [d_hidden], and the tape to recall from.
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
  /// name: prefix of the tape's parameters. cells: for an LSTM.
  TapeAttention(const Weights& weights, const std::string& name, int64_t d_hidden, bool cells, Precision precision);

  int64_t entry_width() const { return d_ + state_width(); }

  /// The working memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision) {}
    Operand operand;
    Rows states, keys;
    Buffer<float> scores;
  };
  /// recalled: [rows, h~' and c~' concatenated].
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
