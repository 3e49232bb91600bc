#include "heed/data/batches/token_links.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/alignment_error_rate.h"
#include "heed/text/placeholders.h"
#include "heed/text/word_tokenizer.h"

namespace heed::data {
namespace {

/// For each word of a line its tokens; empty if they cannot be found. line: as the tokenizer reads it. words: how many
/// words the line has.
std::vector<std::vector<int64_t>> tokens_of_words(const text::Tokenizer& tokenizer, std::string_view line,
                                                  const text::Ids& ids, size_t words) {
  std::vector<int64_t> word_of(ids.size());
  int64_t found = 0;
  if (dynamic_cast<const text::WordTokenizer*>(&tokenizer)) {
    // Each word is a token, also where marks join some of them to one word in line_words().
    std::iota(word_of.begin(), word_of.end(), 0);
    found = std::ssize(ids);
  } else if (tokenizer.samples()) {
    word_of = tokenizer.words(ids);
    for (const int64_t word : word_of) found = std::max(found, word + 1);
  } else {
    const text::LineWords of_line = tokenizer.line_words(line);
    check(of_line.of_id.size() == ids.size(), "the tokens of a line are those of its tokenizer");
    word_of = of_line.of_id;
    found = std::ssize(of_line.words);
  }
  if (found != static_cast<int64_t>(words)) return {};
  std::vector<std::vector<int64_t>> tokens(words);
  for (size_t token = 0; token < word_of.size(); ++token) {
    if (word_of[token] >= 0) tokens[static_cast<size_t>(word_of[token])].push_back(static_cast<int64_t>(token));
  }
  return tokens;
}

}  // namespace

std::vector<TokenLink> token_links(const TextPair& text, const text::Ids& source, const text::Ids& target,
                                   const text::Tokenizers& tokenizers) {
  const metrics::AlignmentLinks links = metrics::parse_alignment(text.alignment);
  if (links.possible.empty()) return {};
  const size_t source_words = split_whitespace(text.source).size(), target_words = split_whitespace(text.target).size();
  std::string source_line = text.source, target_line = text.target;
  if (tokenizers.placeholders) tokenizers.placeholders->mask_pair(source_line, target_line);
  const auto sources = tokens_of_words(*tokenizers.source, source_line, source, source_words);
  const auto targets = tokens_of_words(*tokenizers.target, target_line, target, target_words);
  if (sources.empty() || targets.empty()) return {};
  std::vector<TokenLink> found;
  std::vector<int64_t> links_of(target.size());
  for (const auto& [source_word, target_word] : links.possible) {
    for (const int64_t target_token : targets.at(static_cast<size_t>(target_word))) {
      for (const int64_t source_token : sources.at(static_cast<size_t>(source_word))) {
        found.push_back({.source = source_token, .target = target_token});
        ++links_of[static_cast<size_t>(target_token)];
      }
    }
  }
  for (TokenLink& link : found) link.share = 1 / static_cast<float>(links_of[static_cast<size_t>(link.target)]);
  return found;
}

}  // namespace heed::data
