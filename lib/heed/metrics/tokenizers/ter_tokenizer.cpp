#include "heed/metrics/tokenizers/ter_tokenizer.h"

#include <algorithm>
#include <array>

#include "heed/core/text/unicode.h"
#include "heed/metrics/tokenizers/ascii_rules.h"

namespace heed::metrics {
namespace {

using FromTo = std::array<char32_t, 2>;

// The last range is sacreBLEU's: it ends at U+3F22, but the block ends at U+32FF. sacreBLEU's rules for kana never
// apply: they match the beginning of a text, which has been padded with a space.
constexpr std::array<FromTo, 8> kSplitCharacters{{{0x2E80, 0x2EFF},
                                                  {0x31C0, 0x31EF},
                                                  {0x3300, 0x33FF},
                                                  {0x3400, 0x4DBF},
                                                  {0x4E00, 0x9FFF},
                                                  {0xF900, 0xFAFF},
                                                  {0xFE30, 0xFE4F},
                                                  {0x3200, 0x3F22}}};
constexpr std::array<FromTo, 11> kAsianPunctuation{{{0x3001, 0x3002},
                                                    {0x3008, 0x3011},
                                                    {0x3014, 0x301F},
                                                    {0x30FB, 0x30FB},
                                                    {0xFF01, 0xFF02},
                                                    {0xFF08, 0xFF09},
                                                    {0xFF0C, 0xFF0C},
                                                    {0xFF0E, 0xFF0E},
                                                    {0xFF1A, 0xFF1B},
                                                    {0xFF1F, 0xFF1F},
                                                    {0xFF61, 0xFF65}}};

template <size_t N>
bool is_in(const std::array<FromTo, N>& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](const FromTo& range) { return c >= range[0] && c <= range[1]; });
}

void normalize(std::string& text, std::string& scratch) {
  replace_all(text, "\n-", "");
  replace_all(text, "\n", " ");
  undo_entities(text);
  text.insert(0, 1, ' ').append(1, ' ');
  split_punctuation(text, scratch);
  replace_all(text, "'s ", " 's ");
  split_points_and_hyphens(text, scratch);
}

/// Calls rewrite(character, code point) for each character, which appends the new text.
template <class Rewrite>
void rewrite_characters(std::string& text, std::string& scratch, Rewrite rewrite) {
  scratch.swap(text);
  text.clear();
  for (const std::string_view character : characters(scratch)) rewrite(character, to_code_points(character)[0]);
}

void split_asian(std::string& text, std::string& scratch) {
  rewrite_characters(text, scratch, [&text](std::string_view character, char32_t c) {
    const bool split = is_in(kSplitCharacters, c) || is_in(kAsianPunctuation, c);
    if (split) text += ' ';
    text += character;
    if (split) text += ' ';
  });
}

void remove_asian_punctuation(std::string& text, std::string& scratch) {
  rewrite_characters(text, scratch, [&text](std::string_view character, char32_t c) {
    if (!is_in(kAsianPunctuation, c)) text += character;
  });
}

}  // namespace

void tokenize_ter(const TerOptions& options, std::string_view line, std::string& tokens, std::string& scratch) {
  tokens = options.case_sensitive ? std::string(line) : lower(line);
  if (tokens.empty()) return;
  if (options.normalized) normalize(tokens, scratch);
  if (options.normalized && options.asian_support) split_asian(tokens, scratch);
  if (!options.no_punct) return;
  std::erase_if(tokens, [](char c) { return std::string_view(".,?:;!\"()").find(c) != std::string_view::npos; });
  if (options.asian_support) remove_asian_punctuation(tokens, scratch);
}

}  // namespace heed::metrics
