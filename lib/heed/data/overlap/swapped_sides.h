// Notices a text whose source and target are exchanged, or the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heed/data/overlap/text_overlap.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Warns if the source of the training text looks like the target of the validation text, and the target like its
/// source. Compares the frequencies of byte pairs in the first kSampledPairs pairs. Reads nothing unless both texts
/// have a source of text. Throws what PairReader does.
void warn_of_swapped_sides(const ComparedTexts& texts);

/// Warns if the tokenizers of a trained model, in which a training begins, need fewer tokens for the exchanged sides.
/// A joint tokenizer cannot show this. model: its name in the message. Throws what PairReader does.
void warn_of_swapped_sides(const CorpusFiles& train, const TextFormat& format, const text::Tokenizers& tokenizers,
                           const std::string& model);

inline constexpr int64_t kSampledPairs = 1000;

/// Notices that source and target are the same text: somebody has named the wrong file.
class SameSides {
 public:
  /// Adds a pair. Blank ones do not count.
  void add(std::string_view source, std::string_view target);
  /// Warns if nearly all pairs have equal sides. prefix ("valid-"): of the names of options in the message.
  void warn(const CorpusFiles& files, const std::string& prefix = "") const;

 private:
  int64_t pairs_ = 0, equal_ = 0;
};
/// Does both for the first kSampledPairs pairs. Throws what PairReader does.
void warn_of_same_sides(const CorpusFiles& files, const TextFormat& format, const std::string& prefix = "");

}  // namespace heed::data
