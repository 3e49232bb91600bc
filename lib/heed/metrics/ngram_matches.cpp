#include "heed/metrics/ngram_matches.h"

#include <algorithm>

namespace heed::metrics {

/// Only tokens of the hypothesis get a number: n-grams with other tokens cannot match.
template <class Key, class Text>
void NgramMatcher::number_tokens(IdTable<Key>& numbers, const Text& hypothesis, std::span<const Text> references) {
  numbers.reset(hypothesis.size());
  tokens_.resize(references.size() + 1);
  tokens_[0].clear();
  for (const auto& token : hypothesis) tokens_[0].push_back(numbers.insert(token));
  for (size_t r = 0; r < references.size(); ++r) {
    tokens_[r + 1].clear();
    for (const auto& token : references[r]) tokens_[r + 1].push_back(numbers.find(token));
  }
  starts_ = tokens_;
  distinct_ = numbers.size();
}

/// Computes the numbers of n-grams of this order from those of (order - 1)-grams.
void NgramMatcher::number_ngrams(size_t order) {
  ngrams_.reset(starts_[0].size());
  for (size_t text = 0; text < starts_.size(); ++text) {
    std::vector<uint32_t>& starts = starts_[text];
    const std::vector<uint32_t>& tokens = tokens_[text];
    starts.resize(tokens.size() < order ? 0 : tokens.size() - order + 1);
    for (size_t i = 0; i < starts.size(); ++i) {
      const uint32_t last = tokens[i + order - 1];
      const uint64_t key = (uint64_t{starts[i]} << 32) | last;
      if (starts[i] == kAbsent || last == kAbsent)
        starts[i] = kAbsent;
      else
        starts[i] = text == 0 ? ngrams_.insert(key) : ngrams_.find(key);
    }
  }
  distinct_ = ngrams_.size();
}

int64_t NgramMatcher::clipped() {
  allowed_.assign(distinct_, 0);
  for (size_t text = 1; text < starts_.size(); ++text) {
    counts_.assign(distinct_, 0);
    for (const uint32_t ngram : starts_[text]) {
      if (ngram == kAbsent) continue;
      allowed_[ngram] = std::max(allowed_[ngram], ++counts_[ngram]);
    }
  }
  int64_t matches = 0;
  for (const uint32_t ngram : starts_[0]) matches += allowed_[ngram]-- > 0 ? 1 : 0;
  return matches;
}

void NgramMatcher::count_all(std::span<int64_t> matches) {
  for (size_t order = 1; order <= matches.size(); ++order) {
    if (order > 1) number_ngrams(order);
    matches[order - 1] = clipped();
  }
}

void NgramMatcher::count(const Tokens& hypothesis, std::span<const Tokens> references, std::span<int64_t> matches) {
  number_tokens(words_, hypothesis, references);
  count_all(matches);
}

void NgramMatcher::count(std::u32string_view hypothesis, std::u32string_view reference, std::span<int64_t> matches) {
  number_tokens(characters_, hypothesis, std::span<const std::u32string_view>(&reference, 1));
  count_all(matches);
}

}  // namespace heed::metrics
