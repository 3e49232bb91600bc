// The candidates of many lines as numbers, for choosing weights.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heed::reranking {

/// Rows are candidates, those of a line side by side.
struct CandidateTable {
  size_t features_size = 0;             ///< features of a candidate
  size_t statistics_size = 0;           ///< numbers that a metric takes of a candidate (metrics::Metric)
  std::vector<double> features = {};    ///< (candidates, features_size)
  std::vector<double> statistics = {};  ///< (candidates, statistics_size)
  std::vector<size_t> begins = {0};     ///< of each line's candidates, and the end

  size_t lines() const { return begins.size() - 1; }
  std::span<const double> features_of(size_t candidate) const {
    return std::span(features).subspan(candidate * features_size, features_size);
  }
  std::span<const double> statistics_of(size_t candidate) const {
    return std::span(statistics).subspan(candidate * statistics_size, statistics_size);
  }
};

}  // namespace heed::reranking
