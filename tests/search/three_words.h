// A vocabulary of three words behind the special ids, and sentences under way with it.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/search/sentence_beam.h"

namespace heed::search {

inline constexpr int32_t kA = 4, kB = 5, kC = 6;

/// groups: of each hypothesis; empty: all of the first.
inline SentenceBeam sentence_with(const SearchOptions& options, const std::vector<double>& log_probabilities,
                                  const std::vector<int32_t>& groups = {}) {
  SentenceBeam sentence(0, 2, options);
  sentence.live.clear();
  for (size_t i = 0; i < log_probabilities.size(); ++i) {
    sentence.live.push_back({.log_probability = log_probabilities[i], .group = groups.empty() ? 0 : groups[i]});
  }
  return sentence;
}

}  // namespace heed::search
