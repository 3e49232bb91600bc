#include "heed/reranking/weight_tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "heed/reranking/upper_envelope.h"

namespace heed::reranking {
namespace {

using Weights = std::vector<double>;

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// A step at which the best candidate of a line changes.
struct Change {
  double step;
  size_t before, after;
};

/// The best candidates at step minus infinity, and all changes along the direction.
struct Changes {
  std::vector<size_t> first;
  std::vector<Change> all;  // sorted by step
};

Changes changes_along(const CandidateTable& table, std::span<const double> weights, std::span<const double> direction) {
  Changes changes;
  std::vector<Ray> rays;
  for (size_t line = 0; line < table.lines(); ++line) {
    const size_t begin = table.begins[line];
    rays.clear();
    for (size_t c = begin; c < table.begins[line + 1]; ++c) {
      rays.push_back(
          {.at_zero = product(weights, table.features_of(c)), .slope = product(direction, table.features_of(c))});
    }
    const auto envelope = upper_envelope(rays);
    changes.first.push_back(begin + envelope.front().ray);
    for (size_t i = 1; i < envelope.size(); ++i) {
      changes.all.push_back(
          {.step = envelope[i].begin, .before = begin + envelope[i - 1].ray, .after = begin + envelope[i].ray});
    }
  }
  std::ranges::stable_sort(changes.all, {}, &Change::step);
  return changes;
}

std::vector<double> sums_of(const CandidateTable& table, std::span<const size_t> candidates) {
  std::vector<double> sums(table.statistics_size);
  for (const size_t candidate : candidates) {
    const auto row = table.statistics_of(candidate);
    std::ranges::transform(sums, row, sums.begin(), std::plus());
  }
  return sums;
}

void exchange(const CandidateTable& table, const Change& change, std::vector<double>& sums) {
  const auto before = table.statistics_of(change.before), after = table.statistics_of(change.after);
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += after[i] - before[i];
}

/// The middle of an interval. If it is infinite on one side: a point shortly after or before its finite end.
double middle(double begin, double end) {
  if (std::isinf(begin) && std::isinf(end)) return 0;
  if (std::isinf(begin)) return end - 0.1 * (1 + std::abs(end));
  if (std::isinf(end)) return begin + 0.1 * (1 + std::abs(begin));
  return begin + (end - begin) / 2;
}

/// The standard deviation of each feature within lines, over all lines; 1 if it is zero.
Weights deviations(const CandidateTable& table) {
  Weights squares(table.features_size);
  for (size_t line = 0; line < table.lines(); ++line) {
    const size_t begin = table.begins[line], end = table.begins[line + 1];
    for (size_t f = 0; f < squares.size(); ++f) {
      double sum = 0, sum_of_squares = 0;
      for (size_t c = begin; c < end; ++c) {
        const double value = table.features_of(c)[f];
        sum += value;
        sum_of_squares += value * value;
      }
      squares[f] += std::max(0.0, sum_of_squares - sum * sum / static_cast<double>(end - begin));
    }
  }
  for (double& square : squares) {
    square = std::sqrt(square / static_cast<double>(table.begins.back()));
    if (!(square > 1e-12)) square = 1;
  }
  return squares;
}

CandidateTable divided(const CandidateTable& table, const Weights& by) {
  CandidateTable scaled = table;
  for (size_t i = 0; i < scaled.features.size(); ++i) scaled.features[i] /= by[i % by.size()];
  return scaled;
}

Weights random_weights(size_t size, RandomStream& random) {
  Weights weights(size);
  for (double& weight : weights) weight = 2 * random.uniform() - 1;
  return weights;
}

/// Each feature as a direction, then the same number of random directions.
std::vector<Weights> directions(size_t size, RandomStream& random) {
  std::vector<Weights> all;
  for (size_t f = 0; f < size; ++f) all.emplace_back(size).at(f) = 1;
  for (size_t f = 0; f < size; ++f) all.push_back(random_weights(size, random));
  return all;
}

/// Weights and the metric's score for them.
struct Tuned {
  Weights weights;
  double score;
};

/// Moves along the best direction until no direction improves the score.
Tuned climb(const CandidateTable& table, const metrics::Metric& metric, Weights weights, RandomStream& random) {
  Tuned now{.weights = weights, .score = score_of(table, metric, best_candidates(table, weights))};
  for (bool better = true; better;) {
    better = false;
    for (const Weights& direction : directions(table.features_size, random)) {
      const Step step = best_step(table, metric, now.weights, direction);
      if (!(step.score > now.score + 1e-9)) continue;
      for (size_t f = 0; f < direction.size(); ++f) now.weights[f] += step.length * direction[f];
      now.score = step.score;
      better = true;
    }
  }
  return now;
}

void normalize(Weights& weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  for (double& weight : weights) weight /= sum;
}

}  // namespace

Step best_step(const CandidateTable& table, const metrics::Metric& metric, std::span<const double> weights,
               std::span<const double> direction) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Changes changes = changes_along(table, weights, direction);
  std::vector<double> sums = sums_of(table, changes.first);
  Step best{.length = 0, .score = -kInfinity};
  double best_width = 0, begin = -kInfinity;
  for (size_t i = 0; i <= changes.all.size(); ++i) {
    const double end = i < changes.all.size() ? changes.all[i].step : kInfinity;
    if (end > begin) {
      const double score = metric.value({sums}), width = end - begin;
      if (score > best.score || (score == best.score && width > best_width)) {
        best = {.length = middle(begin, end), .score = score};
        best_width = width;
      }
    }
    if (i < changes.all.size()) exchange(table, changes.all[i], sums);
    begin = end;
  }
  return best;
}

std::vector<double> tune_weights(const CandidateTable& table, const metrics::Metric& metric,
                                 const TuningOptions& options) {
  check(table.lines() > 0 && table.features_size > 0, "weights are tuned on some lines");
  const Weights scale = deviations(table);
  const CandidateTable scaled = divided(table, scale);
  RandomStream random(static_cast<uint64_t>(options.seed), Purpose::Search);
  Weights first(table.features_size);
  first[0] = 1;
  Tuned best = climb(scaled, metric, first, random);
  for (int64_t start = 1; start < options.starts; ++start) {
    Tuned other = climb(scaled, metric, random_weights(table.features_size, random), random);
    if (other.score > best.score) best = std::move(other);
  }
  for (size_t f = 0; f < scale.size(); ++f) best.weights[f] /= scale[f];
  normalize(best.weights);
  return best.weights;
}

std::vector<size_t> best_candidates(const CandidateTable& table, std::span<const double> weights) {
  std::vector<size_t> best;
  for (size_t line = 0; line < table.lines(); ++line) {
    size_t highest = table.begins[line];
    double score = product(weights, table.features_of(highest));
    for (size_t c = highest + 1; c < table.begins[line + 1]; ++c) {
      const double other = product(weights, table.features_of(c));
      if (other <= score) continue;
      score = other;
      highest = c;
    }
    best.push_back(highest);
  }
  return best;
}

double score_of(const CandidateTable& table, const metrics::Metric& metric, std::span<const size_t> candidates) {
  return metric.value({sums_of(table, candidates)});
}

}  // namespace heed::reranking
