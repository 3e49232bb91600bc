#include "heed/api/minimum_risk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "heed/core/error.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/minimum_bayes_risk.h"

namespace heed::api {
namespace {

std::shared_ptr<const metrics::Metric> metric_of(RiskMetric metric) {
  if (metric == RiskMetric::Chrf) return std::make_shared<metrics::Chrf>();
  return std::make_shared<metrics::Bleu>(metrics::BleuOptions{.effective_order = true});
}

std::vector<const translation::Translation*> all_of(const translation::Translation& best) {
  std::vector<const translation::Translation*> all{&best};
  for (const auto& other : best.others) all.push_back(&other);
  return all;
}

/// p^scale of each probability p, divided by the largest result; -inf is a probability of 0.
std::vector<double> powers(std::vector<double> log_probabilities, double scale) {
  const double most = std::ranges::max(log_probabilities);
  for (double& number : log_probabilities) {
    number = std::isinf(number) ? 0 : std::exp(scale * (number - most));
  }
  return log_probabilities;
}

/// The weights of samples. Each of several equal samples counts.
std::vector<double> sample_weights(const translation::Translation& best, double scale) {
  std::vector<double> log_probabilities;
  for (const auto* translation : all_of(best)) log_probabilities.push_back(translation->log_probability);
  return powers(std::move(log_probabilities), scale);
}

/// The weights of a beam search's list. Each distinct text counts once, at its first place. Its probability is the sum
/// over the different token sequences that spell it. Several beam groups can find the same sequence; repeats add
/// nothing.
std::vector<double> list_weights(const translation::Translation& best, double scale) {
  struct Text {
    size_t first;
    std::set<text::Ids> sequences;
  };
  std::unordered_map<std::string_view, Text> texts;
  std::vector<double> log_probabilities;
  for (const auto* translation : all_of(best)) {
    Text& text = texts.try_emplace(translation->text, Text{log_probabilities.size(), {}}).first->second;
    log_probabilities.push_back(-std::numeric_limits<double>::infinity());
    if (!text.sequences.insert(translation->target).second) continue;
    double& sum = log_probabilities[text.first];
    const auto [less, more] = std::minmax(sum, translation->log_probability);
    sum = more + std::log1p(std::exp(less - more));
  }
  return powers(std::move(log_probabilities), scale);
}

/// Swaps the best translation with the one at `place`; the former best moves to the front of the others.
void put_first(translation::Translation& best, size_t place) {
  std::vector<translation::Translation> others = std::move(best.others);
  std::rotate(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(place),
              others.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  std::swap(best, others.front());
  best.others = std::move(others);
}

}  // namespace

void describe(RiskOptions& o, OptionVisitor& visit) {
  visit("mbr", o.metric,
        "minimum Bayes risk: of the `search.n-best` translations that the search finds, write the one with the highest "
        "expected chrF or BLEU against the others");
  visit("mbr-scale", o.scale,
        "for `mbr`: a translation of probability p has weight p^scale; none: 1, and 0 for samples: each counts once",
        between(0, 100));
}

translation::Translator::Rank rank_by_risk(const RiskOptions& options, const search::SearchOptions& search) {
  if (options.metric == RiskMetric::None) return {};
  if (search.n_best < 2) {
    throw ConfigError("--mbr", "chooses among several translations: `search.n-best` must be above 1");
  }
  const bool samples = std::holds_alternative<search::SampleMethod>(search.method);
  const double scale = options.scale.value_or(samples ? 0 : 1);
  const auto weights_of = samples ? sample_weights : list_weights;
  return [metric = metric_of(options.metric), weights_of, scale](translation::Translation& best) {
    std::vector<std::string> texts{best.text};
    for (const auto& other : best.others) texts.push_back(other.text);
    const size_t chosen = metrics::highest(metrics::expected_scores(*metric, texts, weights_of(best, scale)));
    if (chosen > 0) put_first(best, chosen - 1);
  };
}

}  // namespace heed::api
