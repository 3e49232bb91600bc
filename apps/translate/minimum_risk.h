// Minimum Bayes risk among the translations of a line that search found.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "heed/search/search_options.h"
#include "heed/translation/translator.h"

namespace heed::apps {

/// The metric whose expected score decides.
enum class RiskMetric { None, Chrf, Bleu };
constexpr auto option_names(RiskMetric) {
  return std::array{std::pair{RiskMetric::None, "none"}, std::pair{RiskMetric::Chrf, "chrf"},
                    std::pair{RiskMetric::Bleu, "bleu"}};
}

struct RiskOptions {
  RiskMetric metric = RiskMetric::None;
  std::optional<double> scale = {};  ///< a translation of probability p weighs p^scale; absent: 1, of samples 0
};
void describe(RiskOptions& o, OptionVisitor& visit);

/// Puts the translation with the highest expected score first, and the others behind it in their order. Null: none is
/// asked for. Throws ConfigError where there is nothing to choose among.
translation::Translator::Rank rank_by_risk(const RiskOptions& options, const search::SearchOptions& search);

}  // namespace heed::apps
