// Loads models of SentencePiece, prepares lines for it, and gives the texts of its pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <sentencepiece_processor.h>

#include "heed/text/tokenizer.h"

namespace heed::text {

/// Loads a serialized model. Throws InputError with `path` if it is not one, or is damaged.
std::unique_ptr<sentencepiece::SentencePieceProcessor> load_processor(const std::string& path,
                                                                      const std::string& model);

/// The character that marks a space within a piece.
inline constexpr std::string_view kSpaceMark = "\u2581";

/// Replaces the marks of spaces by spaces.
std::string with_spaces(std::string_view piece);

/// The text that an id of the model adds to a line.
std::string text_of(const sentencepiece::SentencePieceProcessor& processor, int32_t id);

/// A line as it is passed to SentencePiece. TABs are replaced by spaces, because SentencePiece reserves the TAB.
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

/// The words of `line`, and the word of each piece of the line after its first `skipped` bytes. A piece belongs to the
/// word in which it begins. The texts of the pieces do not show this, as normalization may add or remove white space
/// within a word.
LineWords piece_words(const sentencepiece::SentencePieceProcessor& processor, std::string_view line,
                      size_t skipped = 0);

}  // namespace heed::text
