#include "heed/translation/lines/term_list.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heed/core/text/unicode.h"

namespace heed::translation {
namespace {

/// Of scripts whose words need no space between them.
constexpr std::array kJoinedScripts{
    std::pair{U'\u0E00', U'\u0EFF'},          // Thai, Lao
    std::pair{U'\u1000', U'\u109F'},          // Burmese
    std::pair{U'\u1100', U'\u11FF'},          // Hangul letters
    std::pair{U'\u1780', U'\u17FF'},          // Khmer
    std::pair{U'\u2E80', U'\u9FFF'},          // Chinese, Japanese
    std::pair{U'\uAC00', U'\uD7AF'},          // Hangul syllables
    std::pair{U'\uF900', U'\uFAFF'},          // Chinese
    std::pair{U'\uFF66', U'\uFF9F'},          // Japanese of half width
    std::pair{U'\U00020000', U'\U0003FFFF'},  // Chinese
};

bool joins_words(char32_t character) {
  return std::ranges::any_of(kJoinedScripts,
                             [&](const auto& range) { return character >= range.first && character <= range.second; });
}

bool is_part_of_word(char32_t character) {
  const CharacterClass kind = character_class(character);
  return !is_space(character) && kind != CharacterClass::Punctuation && kind != CharacterClass::Symbol;
}

/// The words with one space between them.
std::string spaced(std::string_view text) {
  std::string result;
  for (const std::string_view word : split_whitespace(text)) {
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

}  // namespace

bool is_word_edge(char32_t left, char32_t right) {
  return !is_part_of_word(left) || !is_part_of_word(right) || joins_words(left) || joins_words(right);
}

bool TermList::add(std::string_view source, std::string_view target) {
  std::string term = spaced(source);
  longest_ = std::max(longest_, to_code_points(term).size());
  return targets_.try_emplace(std::move(term), target).second;
}

std::vector<std::string> TermList::targets_in(std::string_view line) const {
  if (targets_.empty()) return {};
  const std::string text = spaced(line);
  const std::u32string letters = to_code_points(text);
  std::vector<std::string> targets;
  const auto edge = [&](size_t place) {
    return place == 0 || place == letters.size() || is_word_edge(letters[place - 1], letters[place]);
  };
  for (size_t begin = 0; begin < letters.size();) {
    size_t next = begin + 1;
    for (size_t end = std::min(letters.size(), begin + longest_); edge(begin) && end > begin; --end) {
      if (!edge(end)) continue;
      const auto found = targets_.find(to_utf8(std::u32string_view(letters).substr(begin, end - begin)));
      if (found == targets_.end()) continue;
      targets.push_back(found->second);
      next = end;
      break;
    }
    begin = next;
  }
  return targets;
}

}  // namespace heed::translation
