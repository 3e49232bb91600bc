#include "heed/metrics/tokenizers/mteval_tokenizers.h"

#include <algorithm>
#include <array>

#include "heed/core/text/unicode.h"
#include "heed/metrics/tokenizers/ascii_rules.h"

namespace heed::metrics {
namespace {

// A code point with its class in the higher bits, so that each character is looked up only once.
constexpr unsigned kClassShift = 24;
constexpr char32_t kCodePoint = (char32_t{1} << kClassShift) - 1;
CharacterClass class_of(char32_t marked) { return static_cast<CharacterClass>(marked >> kClassShift); }
bool is_number(char32_t marked) { return class_of(marked) == CharacterClass::Number; }
bool is_punctuation(char32_t marked) { return class_of(marked) == CharacterClass::Punctuation; }

void mark(std::u32string& text) {
  for (char32_t& c : text) c |= static_cast<char32_t>(character_class(c)) << kClassShift;
}

/// Like rewrite_pairs in ascii_rules.cpp, for code points.
template <class Matches>
std::u32string rewrite_pairs(std::u32string_view text, Matches matches, std::u32string_view before_first) {
  std::u32string rewritten;
  rewritten.reserve(2 * text.size());
  size_t i = 0;
  while (i + 1 < text.size()) {
    if (matches(text[i], text[i + 1])) {
      rewritten.append(before_first).append({text[i], U' ', text[i + 1]});
      if (before_first.empty()) rewritten += U' ';
      i += 2;
    } else {
      rewritten += text[i++];
    }
  }
  return rewritten.append(text.substr(i));
}

/// The ranges that sacreBLEU's comparisons result in. Two of its ranges are strings of two characters ('\u20000' is
/// U+2000 and "0"). They contain U+2001-2A6D and 2F81-2FA1 instead of characters above U+FFFF.
constexpr std::array<std::array<char32_t, 2>, 13> kChinese{{{0x2001, 0x2A6D},
                                                            {0x2E80, 0x2FDF},
                                                            {0x2FF0, 0x303F},
                                                            {0x3100, 0x312F},
                                                            {0x31A0, 0x31BF},
                                                            {0x31C0, 0x31EF},
                                                            {0x3200, 0x4DB5},
                                                            {0x4E00, 0x9FBB},
                                                            {0xF900, 0xFA2D},
                                                            {0xFA30, 0xFA6A},
                                                            {0xFA70, 0xFAD9},
                                                            {0xFE10, 0xFE1F},
                                                            {0xFF00, 0xFFEF}}};
bool is_chinese(char32_t c) {
  return (c >= 0xFE30 && c <= 0xFE4F) ||
         std::ranges::any_of(kChinese, [c](const auto& range) { return c >= range[0] && c <= range[1]; });
}

}  // namespace

void Tokenizer13a::tokenize(std::string_view line, std::string& tokens, std::string& scratch) const {
  tokens.clear();
  tokens += ' ';
  tokens += line;
  tokens += ' ';
  if (tokens.find('<') != std::string::npos) replace_all(tokens, "<skipped>", "");
  if (tokens.find('\n') != std::string::npos) {
    replace_all(tokens, "-\n", "");
    replace_all(tokens, "\n", " ");
  }
  undo_entities(tokens);
  split_punctuation(tokens, scratch);
  split_points_and_hyphens(tokens, scratch);
}

void InternationalTokenizer::tokenize(std::string_view line, std::string& tokens, std::string&) const {
  std::u32string text = to_code_points(line);
  mark(text);
  text = rewrite_pairs(text, [](char32_t a, char32_t b) { return is_punctuation(b) && !is_number(a); }, U"");
  text = rewrite_pairs(text, [](char32_t a, char32_t b) { return is_punctuation(a) && !is_number(b); }, U" ");
  tokens.clear();
  for (const char32_t c : text) {
    const bool symbol = class_of(c) == CharacterClass::Symbol;
    if (symbol) tokens += ' ';
    append_utf8(tokens, c & kCodePoint);
    if (symbol) tokens += ' ';
  }
}

void ChineseTokenizer::tokenize(std::string_view line, std::string& tokens, std::string& scratch) const {
  tokens.clear();
  for (const std::string_view character : characters(strip(line))) {
    const bool chinese = character.size() > 1 && is_chinese(to_code_points(character)[0]);
    if (chinese) tokens += ' ';
    tokens += character;
    if (chinese) tokens += ' ';
  }
  split_punctuation(tokens, scratch);
  split_points_and_hyphens(tokens, scratch);
}

void CharacterTokenizer::tokenize(std::string_view line, std::string& tokens, std::string&) const {
  tokens.clear();
  for (const std::string_view character : characters(line)) tokens.append(character) += ' ';
}

void NoTokenizer::tokenize(std::string_view line, std::string& tokens, std::string&) const { tokens = line; }

}  // namespace heed::metrics
