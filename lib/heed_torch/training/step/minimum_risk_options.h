// The options of minimum risk training: see minimum_risk.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include "heed/core/options.h"

namespace heed::training {

/// The metric of the risk: 1 - score / 100 of a sentence, or the error rate / 100.
enum class RiskMetric { Bleu, Chrf, Ter, Wer, Cer };
constexpr auto option_names(RiskMetric) {
  using Name = std::pair<RiskMetric, std::string_view>;
  return std::array{Name{RiskMetric::Bleu, "bleu"}, Name{RiskMetric::Chrf, "chrf"}, Name{RiskMetric::Ter, "ter"},
                    Name{RiskMetric::Wer, "wer"}, Name{RiskMetric::Cer, "cer"}};
}

struct NoMinimumRisk {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoMinimumRisk&) const = default;
};
void describe(NoMinimumRisk&, AnyOptionVisitor auto&) {}

/// The risk of translations that are sampled from the model.
struct SampledRisk {
  static constexpr std::string_view kName = "sampled";
  RiskMetric metric = RiskMetric::Chrf;
  int64_t samples = 8;       ///< of each sentence
  double sharpness = 0.005;  ///< alpha in the paper
  double weight = 0.5;       ///< share of the risk in the loss
  bool operator==(const SampledRisk&) const = default;
};
void describe(SampledRisk& o, AnyOptionVisitor auto& visit) {
  visit("metric", o.metric, "metric of a sentence; BLEU is smoothed, with the tokenizer 13a");
  visit("samples", o.samples, "translations to sample for each sentence", between(2, 1000));
  visit("sharpness", o.sharpness, "exponent of the samples' probabilities, before they are normalized", above(0));
  visit("weight", o.weight, "share of the risk in the loss; the rest is the usual loss", between(0, 1));
}

struct MinimumRiskOptions {
  std::variant<NoMinimumRisk, SampledRisk> type = {};
  bool operator==(const MinimumRiskOptions&) const = default;

  bool is_on() const { return !std::holds_alternative<NoMinimumRisk>(type); }
};
void describe(MinimumRiskOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives(
      "type", o.type,
      "minimum risk training, for a trained model: sampled: the expected risk of sampled translations is "
      "part of the loss; none: off");
}

}  // namespace heed::training
