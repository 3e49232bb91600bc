// Searches one sentence with a fake model, and what it may find: every translation there is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "heed/search/beam_search.h"
#include "heed/text/tokenizer.h"
#include "support/fake_beam_model.h"

namespace heed::search {

inline constexpr int64_t kVocab = 7;  // three words behind the special ids

inline std::vector<Hypothesis> search_one(const Scorer& scorer, const SearchOptions& options, const text::Ids& source,
                                          ReturnOptions keep = {}, const SentenceConstraints* constraints = nullptr) {
  FakeBeamModel model(kVocab, scorer);
  BeamSearch search(model, options, keep);
  const std::vector<SourceSentence> sources{{0, source, nullptr, constraints}};
  search.admit(sources);
  while (true) {
    auto finished = search.advance();
    if (!finished.empty()) return std::move(finished[0].hypotheses);
  }
}

inline std::vector<double> log_softmax(const std::vector<float>& logits) {
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
  std::vector<double> result;
  for (const float logit : logits) result.push_back(static_cast<double>(logit) - std::log(sum));
  return result;
}

/// Every translation of at most `limit` tokens, with its log-probability.
inline void enumerate(const Scorer& scorer, const Prefix& source, Prefix& prefix, double log_probability, int64_t limit,
                      std::vector<std::pair<double, Prefix>>& all) {
  const auto next = log_softmax(scorer(source, prefix));
  if (!prefix.empty()) all.emplace_back(log_probability + next[text::kEos], prefix);
  if (static_cast<int64_t>(prefix.size()) == limit) return;
  for (int64_t token = text::kEos + 1; token < kVocab; ++token) {
    prefix.push_back(token);
    enumerate(scorer, source, prefix, log_probability + next[static_cast<size_t>(token)], limit, all);
    prefix.pop_back();
  }
}

/// Every translation within the limit of length, with its score, best first.
inline std::vector<std::pair<double, Prefix>> all_translations(const Scorer& scorer, const Prefix& source,
                                                               const SearchOptions& options) {
  std::vector<std::pair<double, Prefix>> all;
  Prefix prefix;
  enumerate(scorer, source, prefix, 0, max_length(options, std::ssize(source)), all);
  for (auto& [score, ids] : all) score = normalized_score(score, std::ssize(ids) + 1, options);
  std::ranges::sort(all, std::greater{});
  return all;
}

}  // namespace heed::search
