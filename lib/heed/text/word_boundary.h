// Word boundaries: whether a word may begin or end between two characters of a text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heed::text {

/// How a character affects word boundaries.
enum class WordClass : uint8_t {
  Space,      ///< white space
  Separator,  ///< punctuation and symbols
  Letter,     ///< letters, digits and all other characters of words
  Unspaced,   ///< a character of a script without spaces between words (Chinese, Japanese, Thai, Lao, Burmese, Khmer),
              ///< or of Korean, which joins particles to words
  UnspacedMark,  ///< a combining mark of such a script; it belongs to the character before it
};
WordClass word_class(char32_t character);

/// A word may begin or end next to a space or separator. It may also begin or end next to any character of a script
/// without spaces, but not before a combining mark of it.
constexpr bool is_word_boundary(WordClass left, WordClass right) {
  const auto outside = [](WordClass c) { return c == WordClass::Space || c == WordClass::Separator; };
  if (outside(left) || outside(right)) return true;
  return right != WordClass::UnspacedMark && (left != WordClass::Letter || right != WordClass::Letter);
}

/// A character of a text with its class.
struct TextCharacter {
  char32_t code = 0;
  WordClass word_class = WordClass::Letter;
};
/// text: well-formed UTF-8.
std::vector<TextCharacter> text_characters(std::string_view text);

}  // namespace heed::text
