// Minimum error rate training (MERT): finds the feature weights whose best candidates get the highest corpus score of a
// metric (Och 2003, https://aclanthology.org/P03-1021). Along a direction in weight space the score changes only at
// steps where the best candidate of some line changes. All these steps are tried.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/core/options.h"
#include "heed/metrics/metric.h"
#include "heed/reranking/candidate_table.h"

namespace heed::reranking {

struct TuningOptions {
  int64_t starts = 20;  ///< number of starting points of the search: first feature only, then random weights
  int64_t seed = 1;     ///< seed of random weights and random directions
};
void describe(TuningOptions& o, AnyOptionVisitor auto& visit) {
  visit("starts", o.starts, "weights that the search for the best ones begins from, all but the first random",
        between(1, 10000));
  visit("seed", o.seed, "seed of the random ones", at_least(0));
}

/// A step along a direction, and the score after it.
struct Step {
  double length = 0;
  double score = 0;
};
/// The step from `weights` along `direction` with the highest score. It is the middle of the interval with that score,
/// of the longest one if there are several. weights, direction: one number per feature.
Step best_step(const CandidateTable& table, const metrics::Metric& metric, std::span<const double> weights,
               std::span<const double> direction);

/// Tunes one weight per feature; their absolute values sum to 1. The table needs at least one line.
std::vector<double> tune_weights(const CandidateTable& table, const metrics::Metric& metric,
                                 const TuningOptions& options);

/// The candidate of each line with the highest weighted sum of features, the first one on ties, as a row of the table.
std::vector<size_t> best_candidates(const CandidateTable& table, std::span<const double> weights);

/// The metric's corpus score, with one candidate for each line.
double score_of(const CandidateTable& table, const metrics::Metric& metric, std::span<const size_t> candidates);

}  // namespace heed::reranking
