#include "translate/minimum_risk.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "heed/core/error.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/minimum_bayes_risk.h"

namespace heed::apps {
namespace {

std::shared_ptr<const metrics::Metric> metric_of(RiskMetric metric) {
  if (metric == RiskMetric::Chrf) return std::make_shared<metrics::Chrf>();
  return std::make_shared<metrics::Bleu>();
}

/// p^scale of each translation, as a multiple of the largest.
std::vector<double> weights_of(const translation::Translation& best, double scale) {
  std::vector<double> weights{scale * best.log_probability};
  for (const auto& other : best.others) weights.push_back(scale * other.log_probability);
  const double most = std::ranges::max(weights);
  for (double& weight : weights) weight = std::exp(weight - most);
  return weights;
}

/// Exchanges the best translation with the other one at a place, which goes to its begin.
void put_first(translation::Translation& best, size_t place) {
  std::vector<translation::Translation> others = std::move(best.others);
  std::rotate(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(place),
              others.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  std::swap(best, others.front());
  best.others = std::move(others);
}

}  // namespace

void describe(RiskOptions& o, OptionVisitor& visit) {
  visit(
      "mbr", o.metric,
      "minimum Bayes risk: of the `search.n-best` translations that search finds, the one whose expected chrF or BLEU "
      "is highest where each of them may be right");
  visit("mbr-scale", o.scale,
        "for `mbr`: a translation of probability p weighs p^scale; none: 1, of samples 0, where each counts once",
        between(0, 100));
}

translation::Translator::Rank rank_by_risk(const RiskOptions& options, const search::SearchOptions& search) {
  if (options.metric == RiskMetric::None) return {};
  if (search.n_best < 2) {
    throw ConfigError("--mbr", "chooses among several translations: `search.n-best` must be above 1");
  }
  const bool samples = std::holds_alternative<search::SampleMethod>(search.method);
  const double scale = options.scale.value_or(samples ? 0 : 1);
  return [metric = metric_of(options.metric), scale](translation::Translation& best) {
    std::vector<std::string> texts{best.text};
    for (const auto& other : best.others) texts.push_back(other.text);
    const size_t chosen = metrics::highest(metrics::expected_scores(*metric, texts, weights_of(best, scale)));
    if (chosen > 0) put_first(best, chosen - 1);
  };
}

}  // namespace heed::apps
