// What a model is trained on: batches of padded id matrices, and updates made of batches. No tensors here: training
// wraps the matrices without copying them.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "heed/core/files/vector_layout.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Ids of several sentences, row-major [rows, columns]; rows are filled up with text::kPad.
struct IdMatrix {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<int64_t> ids;
  bool operator==(const IdMatrix&) const = default;
};

/// In a target of labels: no label is here.
inline constexpr int64_t kNoLabel = -1;

/// Numbers of several sentences, row-major [rows, columns].
struct NumberMatrix {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<float> numbers;
  bool operator==(const NumberMatrix&) const = default;
};

/// Vectors of several sources, each a sequence (of one row) or a grid, padded with zeros to the largest.
struct VectorBlock {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t width = 0;
  std::vector<float> values = {};      ///< [sources, rows, columns, width], row-major
  std::vector<GridShape> shapes = {};  ///< of each, without padding; empty: there are no vectors
  bool operator==(const VectorBlock&) const = default;
};

/// Where the rows of a batch of continuous text stand in it (text_columns.h).
struct TextPlace {
  int64_t column = 0;   ///< of the first row
  bool begins = false;  ///< no row has text before it; otherwise each goes on where the window before ended
  bool operator==(const TextPlace&) const = default;
};

/// Sentence pairs of one length band, or a window of a continuous text: then a row of the target goes from wherever the
/// window begins over the ends of lines, eos bos, on to the window's end.
struct Batch {
  IdMatrix source;                               ///< each row: source ids, eos, padding; 0 columns for a language model
  IdMatrix target;                               ///< each row: bos, target ids, eos, padding; but see target_kind
  std::vector<int64_t> lines;                    ///< each row's index in the corpus (pairs kept, from 0)
  int64_t source_tokens = 0;                     ///< without padding, eos counted; and what is left of vectors
  int64_t target_tokens = 0;                     ///< without padding and bos, eos counted: what is predicted
  std::optional<TextPlace> text = std::nullopt;  ///< of a window of continuous text
  /// Class: a row of the target is its label. WordLabels: where a word of the source begins, its label; kNoLabel
  /// elsewhere. Numbers: the target has no column, and they are in `numbers`.
  text::TargetKind target_kind = text::TargetKind::Text;
  VectorBlock vectors = {};
  NumberMatrix numbers = {};
  std::vector<float> weights = {};  ///< of each row's loss; empty: 1
  std::optional<double> weighted_tokens =
      std::nullopt;  ///< sum of weight * target tokens; absent: there are no weights
  double weight() const { return weighted_tokens.value_or(static_cast<double>(target_tokens)); }
  bool operator==(const Batch&) const = default;
};

/// Which parts of an update one of several processes computes: a stretch of them, all stretches equal but for one part.
struct PartShare {
  int64_t index = 0;
  int64_t of = 1;
  int64_t begin(int64_t parts) const { return parts * index / of; }
  int64_t end(int64_t parts) const { return parts * (index + 1) / of; }
  bool operator==(const PartShare&) const = default;
};

/// What one step of the optimizer sees: the loss is the sum over parts divided by weight(). Who computes which
/// part (one after the other, replicas, ranks) does not change the gradient.
struct Update {
  std::vector<Batch> parts;  ///< those that others compute tell their lines and tokens alone
  int64_t source_tokens = 0;
  int64_t target_tokens = 0;
  /// Target tokens, each times the weight of its pair.
  double weight() const {
    return std::accumulate(parts.begin(), parts.end(), 0.0,
                           [](double sum, const Batch& part) { return sum + part.weight(); });
  }
  bool operator==(const Update&) const = default;
};

}  // namespace heed::data
