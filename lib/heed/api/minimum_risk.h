// Minimum Bayes risk among the translations of a line that search found.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "heed/search/search_options.h"
#include "heed/translation/translator.h"

namespace heed::api {

/// The metric of sentences whose expected score decides; BLEU with effective order, as in sacreBLEU's sentence_bleu:
/// without it a hypothesis of fewer than four tokens scores 0 even if it is the reference.
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
///
/// What each translation weighs as a reference: each sample p^scale, so that a frequent sample weighs more. In a
/// list of beam search equal texts are one translation; its p is the sum over its different token sequences, so that
/// one that several groups of a beam found does not weigh more.
translation::Translator::Rank rank_by_risk(const RiskOptions& options, const search::SearchOptions& search);

}  // namespace heed::api
