// The features and statistics of the candidates of many lines, for tuning weights.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heed::reranking {

/// Each row is a candidate; the candidates of a line are adjacent.
struct CandidateTable {
  size_t features_size = 0;             ///< number of features per candidate
  size_t statistics_size = 0;           ///< number of statistics that a metric computes per candidate (metrics::Metric)
  std::vector<double> features = {};    ///< (candidates, features_size)
  std::vector<double> statistics = {};  ///< (candidates, statistics_size)
  std::vector<size_t> begins = {0};     ///< first row of each line, then the number of rows

  size_t lines() const { return begins.size() - 1; }
  std::span<const double> features_of(size_t candidate) const {
    return std::span(features).subspan(candidate * features_size, features_size);
  }
  std::span<const double> statistics_of(size_t candidate) const {
    return std::span(statistics).subspan(candidate * statistics_size, statistics_size);
  }
};

}  // namespace heed::reranking
