// The metric by which a command chooses among translations.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "heed/command_line/command.h"
#include "heed/core/options.h"
#include "heed/metrics/metric.h"
#include "heed/metrics/tokenizers/tokenizers.h"

namespace heed::apps {

enum class ChoiceMetricType { Bleu, Chrf };
constexpr auto option_names(ChoiceMetricType) {
  return std::array{std::pair{ChoiceMetricType::Bleu, "bleu"}, std::pair{ChoiceMetricType::Chrf, "chrf"}};
}

struct ChoiceMetric {
  ChoiceMetricType type = ChoiceMetricType::Bleu;
  metrics::BleuTokenizer tokenize = metrics::BleuTokenizer::V13a;
  std::optional<std::string> tokenizer_model = {};
};
/// purpose: the help of `metric`.
void describe(ChoiceMetric& options, OptionVisitor& visit, const std::string& purpose);
/// Throws ConfigError for options of BLEU with another metric.
void check_options(const ChoiceMetric& options, const config::Arguments& given);

/// effective_order: for scores of sentences, see metrics::BleuOptions. Throws what the tokenizer throws.
std::shared_ptr<const metrics::Metric> metric_of(const ChoiceMetric& options, bool effective_order);

}  // namespace heed::apps
