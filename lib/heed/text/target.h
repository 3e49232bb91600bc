// What a model predicts for one source: tokens, a label, labels of words, or numbers.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace heed::text {

using Ids = std::vector<int32_t>;

/// One label for the whole source.
struct ClassLabel {
  int32_t label = 0;
  bool operator==(const ClassLabel&) const = default;
};

/// In labels of words: no word begins at this token of the source.
inline constexpr int32_t kNoLabel = -1;

/// The labels of the words of a source. In a corpus there is one for each token of the source: the label of the word
/// that begins there, or kNoLabel.
struct WordLabels {
  Ids labels;
  bool operator==(const WordLabels&) const = default;
};

/// A fixed number of values.
struct Numbers {
  std::vector<float> values;
  bool operator==(const Numbers&) const = default;
};

/// The target of one source. Ids are the tokens of a text, which a decoder generates one after the other; without bos
/// and eos.
using Target = std::variant<Ids, ClassLabel, WordLabels, Numbers>;

/// How many tokens, labels (kNoLabel counted) or numbers the target has.
int64_t length(const Target& target);
/// How many of them the model predicts: eos is counted, kNoLabel is not.
int64_t predictions(const Target& target);

}  // namespace heed::text
