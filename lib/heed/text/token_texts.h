// The text that each token of a vocabulary adds, character by character.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/tokenizer.h"
#include "heed/text/word_boundary.h"

namespace heed::text {

class TokenTexts {
 public:
  /// Gets the texts from Tokenizer::spelling. Special tokens except unk have no text.
  explicit TokenTexts(const Tokenizer& tokenizer);

  int64_t size() const { return static_cast<int64_t>(begins_.size()) - 1; }
  /// The characters of a token. Empty if is_bytes().
  std::span<const TextCharacter> of(int32_t token) const;
  /// Whether the token is bytes that are not characters by themselves, such as SentencePiece's byte pieces above 0x7F.
  bool is_bytes(int32_t token) const { return !bytes_[static_cast<size_t>(token)].empty(); }
  std::string_view bytes_of(int32_t token) const { return bytes_[static_cast<size_t>(token)]; }

  /// The classes of the token's first and last character. Absent if the token has no text. Bytes count as letters.
  std::optional<WordClass> first_class(int32_t token) const;
  std::optional<WordClass> last_class(int32_t token) const;

  /// The tokens after which a word may continue, ascending.
  const Ids& leaving_word_open() const { return leaving_word_open_; }
  /// The tokens that continue a word of letters, ascending.
  const Ids& continuing_word() const { return continuing_word_; }

 private:
  std::vector<TextCharacter> characters_;  // of all tokens
  std::vector<size_t> begins_{0};
  std::vector<std::string> bytes_;
  Ids leaving_word_open_, continuing_word_;
};

}  // namespace heed::text
