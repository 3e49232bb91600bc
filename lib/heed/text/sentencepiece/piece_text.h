// What SentencePiece is given for a line, and what its pieces spell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sentencepiece_processor.h>

#include "heed/text/tokenizer.h"

namespace heed::text {

/// The mark of a space within a piece.
inline constexpr std::string_view kSpaceMark = "\u2581";

/// A text with spaces for their marks.
std::string with_spaces(std::string_view piece);

/// The text that an id of the model stands for within a line.
std::string text_of(const sentencepiece::SentencePieceProcessor& processor, int32_t id);

/// What SentencePiece is given for a line: a TAB, which it keeps for itself, counts as a space.
class Prepared {
 public:
  explicit Prepared(std::string_view line);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  absl::string_view view() const { return {line_.data(), line_.size()}; }

 private:
  std::string copy_;
  std::string_view line_;
};

/// The words of `line`, and those of the pieces of what follows its first `skipped` bytes: by where each piece begins
/// in the line, as normalization may put white space within a word, or take it away.
LineWords piece_words(const sentencepiece::SentencePieceProcessor& processor, std::string_view line,
                      size_t skipped = 0);

}  // namespace heed::text
