// What a model is trained on: batches of padded id matrices, and updates made of batches. No tensors here: training
// wraps the matrices without copying them.
#pragma once

#include <cstdint>
#include <vector>

namespace heed::data {

/// Ids of several sentences, row-major [rows, columns]; rows are filled up with text::kPad.
struct IdMatrix {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<int64_t> ids;
  bool operator==(const IdMatrix&) const = default;
};

/// Sentence pairs of one length band.
struct Batch {
  IdMatrix source;                  ///< each row: source ids, eos, padding; 0 columns for a language model
  IdMatrix target;                  ///< each row: bos, target ids, eos, padding
  std::vector<int64_t> lines;       ///< each row's index in the corpus (pairs kept, from 0)
  int64_t source_tokens = 0;        ///< without padding, eos counted
  int64_t target_tokens = 0;        ///< without padding and bos, eos counted: the tokens predicted
  bool operator==(const Batch&) const = default;
};

/// What one step of the optimizer sees: the loss is the sum over parts divided by target_tokens. Who computes which
/// part (one after the other, replicas, ranks) does not change the gradient.
struct Update {
  std::vector<Batch> parts;
  int64_t source_tokens = 0;
  int64_t target_tokens = 0;
  bool operator==(const Update&) const = default;
};

/// Where a stream of updates stands; saved in a checkpoint.
struct StreamPosition {
  int64_t epoch = 0;   ///< from 0
  int64_t window = 0;  ///< within the epoch
  int64_t update = 0;  ///< within the window
  bool operator==(const StreamPosition&) const = default;
};

}  // namespace heed::data
