#include "heed/engine/recurrent/tape.h"

#include <algorithm>

#include "heed/kernels/attention_step.h"
#include "heed/kernels/vector_code.h"

namespace heed::engine {

TapeAttention::TapeAttention(const Weights& weights, const std::string& name, int64_t d_hidden, bool cells,
                             Precision precision)
    : d_(d_hidden),
      cells_(cells),
      key_(read_linear(weights, name + ".key", precision)),
      recall_(read_linear(weights, name + ".recall", precision)),
      vector_(weights.get(name + ".vector").numbers) {}

void TapeAttention::recall(std::span<const TapedInput> rows, Scratch& scratch, Rows& recalled) const {
  scratch.states.resize(std::ssize(rows), d_);
  for (size_t r = 0; r < rows.size(); ++r) {
    std::copy_n(rows[r].tape->recall, d_, scratch.states.row(static_cast<int64_t>(r)));
  }
  scratch.operand.take(scratch.states);
  Rows& queries = scratch.keys;
  recall_.multiply(scratch.operand, queries);
  recalled.resize(std::ssize(rows), state_width());
  for (size_t r = 0; r < rows.size(); ++r) {
    const TapeRow& tape = *rows[r].tape;
    float* query = queries.row(static_cast<int64_t>(r));
    float* mixed = recalled.row(static_cast<int64_t>(r));
    for (int64_t i = 0; i < d_; ++i) query[i] += rows[r].input[i];
    float* scores = scratch.scores.reserve(kernels::padded_to_lanes(tape.count));
    kernels::additive_scores({.query = query, .vector = vector_.data(), .d = d_}, tape.entries, tape.places, tape.count,
                             scores);
    kernels::softmax_scores(scores, tape.count);
    kernels::weigh_values(scores, tape.entries + d_, tape.places, tape.count, state_width(), mixed);
    std::copy_n(mixed, d_, tape.next_recall);
  }
}

void TapeAttention::enter(std::span<const TapedState> rows, Scratch& scratch) const {
  scratch.states.resize(std::ssize(rows), d_);
  for (size_t r = 0; r < rows.size(); ++r) {
    std::copy_n(rows[r].hidden, d_, scratch.states.row(static_cast<int64_t>(r)));
  }
  scratch.operand.take(scratch.states);
  key_.multiply(scratch.operand, scratch.keys);
  for (size_t r = 0; r < rows.size(); ++r) {
    float* entry = std::copy_n(scratch.keys.row(static_cast<int64_t>(r)), d_, rows[r].entry);
    entry = std::copy_n(rows[r].hidden, d_, entry);
    if (cells_) std::copy_n(rows[r].cell, d_, entry);
  }
}

}  // namespace heed::engine
