// Minimum Bayes risk (MBR): selects among the translations of a line that the search found.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "heed/search/search_options.h"
#include "heed/translation/translator.h"

namespace heed::api {

/// The sentence metric whose expected score decides. BLEU uses effective order, as in sacreBLEU's sentence_bleu.
/// Otherwise a hypothesis of fewer than four tokens would score 0 even if it equals the reference.
enum class RiskMetric { None, Chrf, Bleu };
constexpr auto option_names(RiskMetric) {
  return std::array{std::pair{RiskMetric::None, "none"}, std::pair{RiskMetric::Chrf, "chrf"},
                    std::pair{RiskMetric::Bleu, "bleu"}};
}

struct RiskOptions {
  RiskMetric metric = RiskMetric::None;
  std::optional<double> scale = {};  ///< a translation of probability p has weight p^scale; absent: 1, for samples 0
};
void describe(RiskOptions& o, OptionVisitor& visit);

/// Puts the translation with the highest expected score first and keeps the order of the others. Null if no metric is
/// set. Throws ConfigError if there is only one translation to choose from.
///
/// As a reference, each sample has weight p^scale, so a frequent sample counts more. In a list of beam search equal
/// texts are one translation. Its p is the sum over its different token sequences, so a sequence that several beam
/// groups find does not count more.
translation::Translator::Rank rank_by_risk(const RiskOptions& options, const search::SearchOptions& search);

}  // namespace heed::api
