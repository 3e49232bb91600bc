// SentencePiece's normalization by itself, and how a model gets another one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/text/tokenizer_options.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace heed::text {

/// The names and values of SentencePiece's training options for a normalizer, and for the symbols that it leaves as
/// they are.
std::vector<std::pair<std::string, std::string>> normalizer_arguments(Normalizer normalizer,
                                                                      const std::vector<std::string>& user_symbols);

/// Normalizes text as a SentencePiece model with this normalizer does before it segments.
class TextNormalizer {
 public:
  explicit TextNormalizer(Normalizer normalizer, const std::vector<std::string>& user_symbols = {});

  std::string operator()(std::string_view line) const;
  /// `model`, a serialized SentencePiece model, with this normalizer in place of its own and the same pieces. So the
  /// two sides of a translation can share a vocabulary and differ in their normalizers.
  std::string put_into(std::string_view model) const;

 private:
  std::string model_;  // of one piece
  std::shared_ptr<const sentencepiece::SentencePieceProcessor> processor_;
};

}  // namespace heed::text
