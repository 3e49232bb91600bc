#include "heed/metrics/ngram_matches.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace heed::metrics {
namespace {

size_t hash(std::string_view word) { return std::hash<std::string_view>{}(word); }
size_t hash(uint64_t key) {
  key *= 0x9e3779b97f4a7c15ULL;
  return static_cast<size_t>(key ^ (key >> 32));
}

}  // namespace

template <class Key>
void NgramMatcher::Numbering<Key>::reset(size_t most_keys) {
  slots_.assign(std::bit_ceil(2 * most_keys + 2), 0);
  keys_.clear();
}

template <class Key>
size_t NgramMatcher::Numbering<Key>::slot(const Key& key) const {
  const size_t mask = slots_.size() - 1;
  size_t i = hash(key) & mask;
  while (slots_[i] != 0 && keys_[slots_[i] - 1] != key) i = (i + 1) & mask;
  return i;
}

template <class Key>
uint32_t NgramMatcher::Numbering<Key>::insert(const Key& key) {
  uint32_t& number = slots_[slot(key)];
  if (number == 0) {
    keys_.push_back(key);
    number = static_cast<uint32_t>(keys_.size());
  }
  return number - 1;
}

template <class Key>
uint32_t NgramMatcher::Numbering<Key>::find(const Key& key) const {
  return slots_[slot(key)] - 1;  // a free slot's 0 becomes kAbsent
}

/// Only the hypothesis's tokens get a number: an n-gram with any other token cannot match.
void NgramMatcher::number_tokens(const Tokens& hypothesis, std::span<const Tokens> references) {
  words_.reset(hypothesis.size());
  tokens_.resize(references.size() + 1);
  tokens_[0].clear();
  for (const std::string_view token : hypothesis) tokens_[0].push_back(words_.insert(token));
  for (size_t r = 0; r < references.size(); ++r) {
    tokens_[r + 1].clear();
    for (const std::string_view token : references[r]) tokens_[r + 1].push_back(words_.find(token));
  }
  starts_ = tokens_;
  distinct_ = words_.size();
}

/// From the numbers of (order - 1)-grams to those of n-grams of this order.
void NgramMatcher::number_ngrams(size_t order) {
  ngrams_.reset(starts_[0].size());
  for (size_t text = 0; text < starts_.size(); ++text) {
    std::vector<uint32_t>& starts = starts_[text];
    const std::vector<uint32_t>& tokens = tokens_[text];
    starts.resize(tokens.size() < order ? 0 : tokens.size() - order + 1);
    for (size_t i = 0; i < starts.size(); ++i) {
      const uint32_t last = tokens[i + order - 1];
      const uint64_t key = (uint64_t{starts[i]} << 32) | last;
      if (starts[i] == kAbsent || last == kAbsent) starts[i] = kAbsent;
      else starts[i] = text == 0 ? ngrams_.insert(key) : ngrams_.find(key);
    }
  }
  distinct_ = ngrams_.size();
}

int64_t NgramMatcher::clipped() const {
  std::vector<int64_t> allowed(distinct_);
  std::vector<int64_t> counts(distinct_);
  for (size_t text = 1; text < starts_.size(); ++text) {
    std::ranges::fill(counts, 0);
    for (const uint32_t ngram : starts_[text]) {
      if (ngram == kAbsent) continue;
      allowed[ngram] = std::max(allowed[ngram], ++counts[ngram]);
    }
  }
  int64_t matches = 0;
  for (const uint32_t ngram : starts_[0]) matches += allowed[ngram]-- > 0 ? 1 : 0;
  return matches;
}

void NgramMatcher::count(const Tokens& hypothesis, std::span<const Tokens> references, std::span<int64_t> matches) {
  number_tokens(hypothesis, references);
  for (size_t order = 1; order <= matches.size(); ++order) {
    if (order > 1) number_ngrams(order);
    matches[order - 1] = clipped();
  }
}

}  // namespace heed::metrics
