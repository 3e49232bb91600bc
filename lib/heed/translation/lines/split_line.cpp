#include "heed/translation/lines/split_line.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "heed/core/text/unicode.h"
#include "heed/translation/lines/sentences.h"

namespace heed::translation {
namespace {

bool is_any_of(char32_t character, std::u32string_view set) { return set.find(character) != set.npos; }

/// Moves back from position i over closing quotes and brackets.
size_t before_closing(std::u32string_view text, size_t i, std::u32string_view closing) {
  while (i > 0 && is_any_of(text[i], closing)) --i;
  return i;
}

/// The quality of a split before position i (0 < i < size): 3 after a sentence, 2 after a clause, 1 at white space, 0
/// anywhere else. Closing quotes and brackets belong to the sentence or clause before them.
int cut_quality(std::u32string_view text, size_t i) {
  constexpr std::u32string_view kClosing = U")]}»”’」』）］｝】》〉〕";
  if (!is_any_of(text[i], kClosing)) {
    const char32_t mark = text[before_closing(text, i - 1, kClosing)];
    if (is_any_of(mark, U"。！？")) return 3;
    if (is_any_of(mark, U"，、；：")) return 2;
  }
  if (!is_space(text[i])) return 0;
  const char32_t mark = text[before_closing(text, i - 1, U"\"')]}»”’」』")];
  if (is_any_of(mark, U".!?…")) return 3;
  return is_any_of(mark, U",;:–—") ? 2 : 1;
}

/// The best split position in the middle half; ties: nearest to the middle. The size is at least 2.
size_t best_cut(std::u32string_view text) {
  const auto middle = static_cast<int64_t>(text.size() / 2);
  const size_t margin = text.size() / 4;
  std::tuple<int, int64_t, size_t> best{-1, 0, 0};
  for (size_t i = std::max<size_t>(1, margin); i < text.size() && i <= text.size() - margin; ++i) {
    const int64_t distance = std::abs(static_cast<int64_t>(i) - middle);
    best = std::max(best, std::tuple(cut_quality(text, i), -distance, i));
  }
  return std::get<2>(best);
}

std::u32string_view trimmed(std::u32string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Whether the text may fit, so that encoding it is worthwhile. SentencePiece takes time quadratic in a word's length:
/// minutes for a word of megabytes.
bool may_fit(size_t characters, int64_t max_tokens) {
  return characters <= static_cast<size_t>(std::max(kAlwaysCounted, kMostCharactersPerToken * max_tokens));
}

constexpr int kBehindClause = 2;

class Splitter {
 public:
  /// usual_tokens: longer text is also split, where a clause or sentence ends.
  Splitter(const text::Tokenizer& tokenizer, int64_t max_tokens, int64_t usual_tokens)
      : tokenizer_(tokenizer), max_tokens_(max_tokens), usual_tokens_(usual_tokens) {}

  void split(std::u32string_view text, bool space_before) {
    text = trimmed(text);
    if (is_worth_encoding(text.size())) {
      std::string written = to_utf8(text);
      text::Ids ids = tokenizer_.encode(written);
      note_density(text.size(), ids.size());
      const bool fits = std::ssize(ids) <= max_tokens_;
      if (stays_whole(text, ids)) {
        if (!fits) ids.resize(static_cast<size_t>(max_tokens_));
        if (!ids.empty()) parts.push_back({std::move(ids), space_before, std::move(written), !fits});
        return;
      }
    }
    const size_t cut = best_cut(text);
    split(text.substr(0, cut), space_before);
    split(text.substr(cut), is_space(text[cut]) || is_space(text[cut - 1]));
  }

  std::vector<LinePart> parts;

 private:
  /// Whether to encode a text before splitting it; its halves are encoded again. Not if it would have too many tokens
  /// even at a quarter of the lowest tokens per character so far.
  bool is_worth_encoding(size_t characters) const {
    constexpr double kSparser = 4;
    const auto limit = static_cast<double>(std::min(max_tokens_, 2 * usual_tokens_));
    return characters < 2 || (may_fit(characters, max_tokens_) &&
                              static_cast<double>(characters) * density_.value_or(0) <= kSparser * limit);
  }
  void note_density(size_t characters, size_t tokens) {
    constexpr size_t kSample = 1024;  // shorter texts say little
    if (characters < kSample) return;
    const double density = static_cast<double>(tokens) / static_cast<double>(characters);
    density_ = std::min(density, density_.value_or(density));
  }
  bool stays_whole(std::u32string_view text, const text::Ids& ids) const {
    if (text.size() < 2 || std::ssize(ids) <= usual_tokens_) return true;
    return std::ssize(ids) <= std::min(max_tokens_, 2 * usual_tokens_) &&
           cut_quality(text, best_cut(text)) < kBehindClause;
  }

  const text::Tokenizer& tokenizer_;
  int64_t max_tokens_;
  int64_t usual_tokens_;
  std::optional<double> density_;  // the lowest number of tokens per character among the long texts so far
};

bool begins_with_space(std::string_view text) { return strip(text).data() != text.data(); }

/// Splits the line into sentences, and these by the rules of Splitter.
std::vector<LinePart> split_sentences(std::string_view line, Splitter splitter) {
  bool space_before = false;
  for (const std::string_view sentence : sentences(line)) {
    if (!strip(sentence).empty()) splitter.split(to_code_points(sentence), space_before || begins_with_space(sentence));
    space_before = strip_right(sentence).size() < sentence.size();
  }
  if (!splitter.parts.empty()) splitter.parts.front().space_before = false;
  return std::move(splitter.parts);
}

/// The line as one part if it has at most `limit` ids. No parts if it has no ids.
std::optional<std::vector<LinePart>> whole_line(std::string_view line, const text::Tokenizer& tokenizer,
                                                int64_t max_tokens, int64_t limit) {
  if (strip(line).empty()) return std::vector<LinePart>{};
  if (!may_fit(line.size(), max_tokens)) return std::nullopt;
  text::Ids ids = tokenizer.encode(line);
  if (std::ssize(ids) > limit) return std::nullopt;
  std::vector<LinePart> parts;
  if (!ids.empty()) parts.push_back({std::move(ids), false, std::string(line)});
  return parts;
}

}  // namespace

std::vector<LinePart> split_line(std::string_view line, const text::Tokenizer& tokenizer, int64_t max_tokens) {
  if (auto parts = whole_line(line, tokenizer, max_tokens, max_tokens)) return std::move(*parts);
  Splitter splitter(tokenizer, max_tokens, max_tokens);
  splitter.split(to_code_points(line), false);
  return std::move(splitter.parts);
}

std::vector<LinePart> split_line(std::string_view line, const text::Tokenizer& tokenizer, const Splitting& splitting) {
  const int64_t most = splitting.max_tokens;
  if (splitting.rule == SplitRule::Sentences && sentences(line).size() > 1) {
    return split_sentences(line, {tokenizer, most, most});
  }
  if (splitting.rule != SplitRule::Auto || !splitting.usual_tokens) return split_line(line, tokenizer, most);
  if (auto parts = whole_line(line, tokenizer, most, splitting.limit())) return std::move(*parts);
  return split_sentences(line, {tokenizer, most, splitting.limit()});
}

}  // namespace heed::translation
