#include "heed/text/word_boundary.h"

#include <algorithm>
#include <array>
#include <utility>

#include <unicode/uchar.h>

#include "heed/core/text/unicode.h"

namespace heed::text {
namespace {

constexpr std::array kUnspacedScripts{
    std::pair{U'\u0E00', U'\u0EFF'},          // Thai, Lao
    std::pair{U'\u1000', U'\u109F'},          // Burmese
    std::pair{U'\u1100', U'\u11FF'},          // Hangul letters
    std::pair{U'\u1780', U'\u17FF'},          // Khmer
    std::pair{U'\u2E80', U'\u9FFF'},          // Chinese, Japanese
    std::pair{U'\uAC00', U'\uD7AF'},          // Hangul syllables
    std::pair{U'\uF900', U'\uFAFF'},          // Chinese
    std::pair{U'\uFF66', U'\uFF9F'},          // half-width Japanese
    std::pair{U'\U00020000', U'\U0003FFFF'},  // Chinese
};

bool is_unspaced(char32_t character) {
  return std::ranges::any_of(kUnspacedScripts,
                             [&](const auto& range) { return character >= range.first && character <= range.second; });
}

bool continues_character(char32_t character) {
  return u_hasBinaryProperty(static_cast<UChar32>(character), UCHAR_GRAPHEME_EXTEND) != 0;
}

}  // namespace

WordClass word_class(char32_t character) {
  if (is_space(character)) return WordClass::Space;
  const CharacterClass kind = character_class(character);
  if (kind == CharacterClass::Punctuation || kind == CharacterClass::Symbol) return WordClass::Separator;
  if (!is_unspaced(character)) return WordClass::Letter;
  return continues_character(character) ? WordClass::UnspacedMark : WordClass::Unspaced;
}

std::vector<TextCharacter> text_characters(std::string_view text) {
  std::vector<TextCharacter> characters;
  for (const char32_t code : to_code_points(text)) characters.push_back({code, word_class(code)});
  return characters;
}

}  // namespace heed::text
