// Applies SentencePiece's normalization without a model, and replaces the normalizer of a model.
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

/// SentencePiece's training options (names and values) for a normalizer, and for the symbols that it must not change.
std::vector<std::pair<std::string, std::string>> normalizer_arguments(Normalizer normalizer,
                                                                      const std::vector<std::string>& user_symbols);

/// Normalizes text like a SentencePiece model with this normalizer does before segmentation.
class TextNormalizer {
 public:
  explicit TextNormalizer(Normalizer normalizer, const std::vector<std::string>& user_symbols = {});

  std::string operator()(std::string_view line) const;
  /// Replaces the normalizer of `model`, a serialized SentencePiece model, and keeps the pieces. So both sides of a
  /// translation can share a vocabulary but have different normalizers.
  std::string put_into(std::string_view model) const;

 private:
  std::string model_;  // a model with one piece
  std::shared_ptr<const sentencepiece::SentencePieceProcessor> processor_;
};

}  // namespace heed::text
