#include "heed/metrics/significance/significance.h"

#include <algorithm>
#include <cmath>

#include "heed/core/error.h"
#include "heed/metrics/significance/resampling.h"

namespace heed::metrics {
namespace {

/// `mean` gets the sorted scores, because the order decides the last bit of NumPy's mean.
Confidence confidence(std::vector<double> scores, double (*mean)(std::span<const double>)) {
  check(!scores.empty(), "the confidence of no scores");
  std::ranges::sort(scores);
  const size_t outside = scores.size() / 40;
  return {.mean = mean(scores), .half_width = 0.5 * (scores[scores.size() - outside - 1] - scores[outside])};
}

/// The fraction of `statistics` above `difference`. Counts the observation itself, so it is never 0 (Edgington 1986).
double p_value(std::span<const double> statistics, double difference) {
  const auto above = std::ranges::count_if(statistics, [difference](double value) { return value > difference; });
  return static_cast<double>(above + 1) / static_cast<double>(statistics.size() + 1);
}

double bootstrap_p_value(std::span<const double> baseline, std::span<const double> system, double difference) {
  std::vector<double> differences(baseline.size());
  for (size_t i = 0; i < baseline.size(); ++i) differences[i] = std::abs(system[i] - baseline[i]);
  const double mean = numpy_mean(differences);
  for (double& each : differences) each -= mean;
  return p_value(differences, difference);
}

double score_of(const SystemStatistics& measured) { return measured.metric.score(measured.statistics.sums()).value; }

using Results = std::vector<std::vector<PairedResult>>;

void bootstrap(const PairedTest& test, std::span<const std::vector<SystemStatistics>> systems, Results& results) {
  std::vector<SystemStatistics> all;
  std::vector<SystemStatistics> baselines;
  for (const auto& of_metric : systems) {
    for (const SystemStatistics& measured : of_metric) all.push_back(measured);
    baselines.push_back(of_metric[0]);
  }
  const auto scores = bootstrap_scores(all, test.samples, test.seed, test.threads);
  std::vector<std::vector<double>> other_scores;
  if (test.baseline_seed != test.seed) {
    other_scores = bootstrap_scores(baselines, test.samples, test.baseline_seed, test.threads);
  }
  size_t first = 0;
  for (size_t m = 0; m < systems.size(); first += systems[m++].size()) {
    const auto& baseline = scores[first];
    results[m][0].confidence = confidence(other_scores.empty() ? baseline : other_scores[m], numpy_mean);
    for (size_t s = 1; s < systems[m].size(); ++s) {
      const auto& system = scores[first + s];
      results[m][s].confidence = confidence(system, numpy_mean);
      results[m][s].p_value = bootstrap_p_value(baseline, system, std::abs(results[m][0].score - results[m][s].score));
    }
  }
}

void randomization(const PairedTest& test, std::span<const std::vector<SystemStatistics>> systems, Results& results) {
  std::vector<MeasuredPair> pairs;
  for (const auto& of_metric : systems) {
    for (size_t s = 1; s < of_metric.size(); ++s) pairs.push_back({of_metric[0], of_metric[s]});
  }
  const auto differences = shuffled_differences(pairs, test.samples, test.seed, test.threads);
  size_t pair = 0;
  for (auto& of_metric : results) {
    for (size_t s = 1; s < of_metric.size(); ++s) {
      of_metric[s].p_value = p_value(differences[pair++], std::abs(of_metric[0].score - of_metric[s].score));
    }
  }
}

}  // namespace

Confidence confidence_of(std::vector<double> scores) { return confidence(std::move(scores), exact_mean); }

Confidence bootstrap_confidence(const SystemStatistics& measured, const Bootstrap& bootstrap, int64_t threads) {
  return confidence_of(bootstrap_scores(std::span(&measured, 1), bootstrap.samples, bootstrap.seed, threads)[0]);
}

std::vector<std::vector<PairedResult>> paired_test(const PairedTest& test,
                                                   std::span<const std::vector<SystemStatistics>> systems) {
  Results results;
  for (const auto& of_metric : systems) {
    check(of_metric.size() >= 2, "a paired test needs a baseline and another system");
    results.emplace_back();
    for (const SystemStatistics& measured : of_metric) results.back().push_back({.score = score_of(measured)});
  }
  if (test.method == PairedMethod::Bootstrap)
    bootstrap(test, systems, results);
  else
    randomization(test, systems, results);
  return results;
}

}  // namespace heed::metrics
