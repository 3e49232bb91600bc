// The data of training: micro-batches of padded matrices, and training steps made of them. It has no tensors: training
// wraps the matrices without copying them.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <variant>
#include <vector>

#include "heed/core/files/vector_layout.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Ids of several sentences, row-major [rows, columns]. Rows are padded with text::kPad.
struct IdMatrix {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<int64_t> ids;
  bool operator==(const IdMatrix&) const = default;
};

/// Targets that a decoder writes.
struct TokenTargets {
  IdMatrix ids;  ///< each row: bos, target ids, eos, padding
  bool operator==(const TokenTargets&) const = default;
};

/// Targets that are labels. Labels of the sources have one column. Labels of words have a column for each source id:
/// the label of a word is at the word's first id, text::kNoLabel at all other ids.
struct LabelTargets {
  IdMatrix labels;
  bool operator==(const LabelTargets&) const = default;
};

/// Targets that are numbers, row-major [rows, columns].
struct NumberTargets {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<float> numbers;
  bool operator==(const NumberTargets&) const = default;
};

using Targets = std::variant<TokenTargets, LabelTargets, NumberTargets>;

/// Vectors of several sources, padded with zeros to the largest. Each source is a grid, or a sequence: a grid of one
/// row.
struct VectorBlock {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t width = 0;
  std::vector<float> values = {};      ///< [sources, rows, columns, width], row-major
  std::vector<GridShape> shapes = {};  ///< shape of each source without padding; empty: there are no vectors
  bool operator==(const VectorBlock&) const = default;
};

/// The position of a batch in a continuous text (continuous_text.h).
struct TextPlace {
  int64_t column = 0;   ///< column of the first row
  bool begins = false;  ///< true: the rows begin the text; false: each row continues where the window before ended
  bool operator==(const TextPlace&) const = default;
};

/// A link of guided alignment: when the decoder writes a target token, it should attend to a source token.
struct TokenLink {
  int64_t row = 0;
  int64_t source = 0;  ///< column of the source
  int64_t target = 0;  ///< counted from 0 without bos: the position at which the token is predicted
  float share = 1;     ///< 1 / the number of links of this target token
  bool operator==(const TokenLink&) const = default;
};

/// Sentence pairs of one length band, or a window of a continuous text. A target row of a continuous text runs from the
/// start of the window to its end. It includes "eos bos" wherever one line ends and the next begins.
struct MicroBatch {
  IdMatrix source;  ///< each row: source ids, eos, padding; 0 columns for a language model
  Targets target;
  std::vector<int64_t> lines;                    ///< each row's index in the corpus (pairs kept, from 0)
  int64_t source_tokens = 0;                     ///< ids without padding, eos counted, plus the vectors that the
                                                 ///< encoder reads
  int64_t target_tokens = 0;                     ///< without padding and bos, eos counted: the predicted tokens
  std::optional<TextPlace> text = std::nullopt;  ///< set for a window of continuous text
  VectorBlock vectors = {};
  std::vector<float> weights = {};  ///< weight of each row's loss; empty: 1
  std::vector<TokenLink> links = {};
  std::optional<double> weighted_tokens =
      std::nullopt;  ///< sum of weight * target tokens; absent: there are no weights
  /// The tokens of TokenTargets. Throws std::bad_variant_access for other targets.
  const IdMatrix& tokens() const { return std::get<TokenTargets>(target).ids; }
  double weight() const { return weighted_tokens.value_or(static_cast<double>(target_tokens)); }
  bool operator==(const MicroBatch&) const = default;
};

/// The micro-batches of a step that one of several processes computes: a contiguous range. The sizes of all
/// ranges differ by at most one micro-batch.
struct MicroBatchShare {
  int64_t index = 0;
  int64_t of = 1;
  int64_t begin(int64_t count) const { return count * index / of; }
  int64_t end(int64_t count) const { return count * (index + 1) / of; }
  bool operator==(const MicroBatchShare&) const = default;
};

/// The data of one training step. The loss is the sum over micro-batches, divided by weight(). The gradient
/// does not depend on who computes which micro-batch: one process in turn, replicas or ranks.
struct StepBatch {
  std::vector<MicroBatch>
      micro_batches;  ///< a micro-batch that another process computes has only its lines and token counts
  int64_t source_tokens = 0;
  int64_t target_tokens = 0;
  /// Sum of the target tokens, each multiplied by the weight of its pair.
  double weight() const {
    return std::accumulate(micro_batches.begin(), micro_batches.end(), 0.0,
                           [](double sum, const MicroBatch& micro_batch) { return sum + micro_batch.weight(); });
  }
  bool operator==(const StepBatch&) const = default;
};

}  // namespace heed::data
