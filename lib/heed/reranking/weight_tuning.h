// Minimum error rate training: the weights of features for which the best candidates of all lines together have the
// highest score of a metric (Och 2003, https://aclanthology.org/P03-1021). Along a direction in the space of weights
// the score is constant between the steps where some line's best candidate changes; all of these are looked at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/core/options.h"
#include "heed/metrics/metric.h"
#include "heed/reranking/candidate_table.h"

namespace heed::reranking {

struct TuningOptions {
  int64_t starts = 20;  ///< weights that the search begins from: the first feature alone, then random ones
  int64_t seed = 1;     ///< of the random ones and of random directions
};
void describe(TuningOptions& o, AnyOptionVisitor auto& visit) {
  visit("starts", o.starts, "weights that the search for the best ones begins from, all but the first random",
        between(1, 10000));
  visit("seed", o.seed, "seed of the random ones", at_least(0));
}

/// A step along a direction, and the score there.
struct Step {
  double length = 0;
  double score = 0;
};
/// The step from `weights` along `direction` with the highest score of all; in the middle of the stretch that has it,
/// of several the longest. weights, direction: one number a feature.
Step best_step(const CandidateTable& table, const metrics::Metric& metric, std::span<const double> weights,
               std::span<const double> direction);

/// One weight a feature; their absolute values add up to 1. At least one line.
std::vector<double> tune_weights(const CandidateTable& table, const metrics::Metric& metric,
                                 const TuningOptions& options);

/// The candidate of each line with the highest sum of weighted features, the first of several, as rows of the table.
std::vector<size_t> best_candidates(const CandidateTable& table, std::span<const double> weights);

/// The metric's score of one candidate for each line, as a corpus.
double score_of(const CandidateTable& table, const metrics::Metric& metric, std::span<const size_t> candidates);

}  // namespace heed::reranking
