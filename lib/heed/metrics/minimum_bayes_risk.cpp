#include "heed/metrics/minimum_bayes_risk.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "heed/core/error.h"

namespace heed::metrics {
namespace {

/// The distinct texts.
struct Distinct {
  std::vector<std::string_view> texts;
  std::vector<double> weights;  // one per distinct text; they sum to 1
  std::vector<size_t> of_text;  // for each given text, the index of its distinct text
};

Distinct distinct(std::span<const std::string> texts, std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  check(texts.size() == weights.size() && sum > 0, "each text needs a weight");
  Distinct found;
  std::unordered_map<std::string_view, size_t> places;
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto [place, is_new] = places.try_emplace(texts[i], found.texts.size());
    if (is_new) {
      found.texts.push_back(texts[i]);
      found.weights.push_back(0);
    }
    found.weights[place->second] += weights[i] / sum;
    found.of_text.push_back(place->second);
  }
  return found;
}

}  // namespace

std::vector<double> expected_scores(const Metric& metric, std::span<const std::string> texts,
                                    std::span<const double> weights) {
  const Distinct found = distinct(texts, weights);
  const auto extractor = metric.extractor();
  std::vector<double> statistics(metric.statistics_size());
  std::vector<double> of_distinct;
  for (const std::string_view hypothesis : found.texts) {
    double expected = 0;
    for (size_t r = 0; r < found.texts.size(); ++r) {
      extractor->extract(hypothesis, {&found.texts[r], 1}, statistics);
      expected += found.weights[r] * metric.value({statistics});
    }
    of_distinct.push_back(expected);
  }
  std::vector<double> scores;
  for (const size_t place : found.of_text) scores.push_back(of_distinct[place]);
  return scores;
}

size_t highest(std::span<const double> scores) {
  return static_cast<size_t>(std::ranges::max_element(scores) - scores.begin());
}

}  // namespace heed::metrics
