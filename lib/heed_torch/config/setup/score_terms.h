// What the scores of validation depend on in addition to the model and the text. Scores under other terms do not
// compare.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Options by name, with their values as text.
using ScoreTerms = std::vector<std::pair<std::string, std::string>>;

/// What scores by valid.metric depend on: all that the validator is given (heed_torch/training/validator.h), as it uses
/// it (heed_torch/training/validation_search.h). An option that decides nothing, such as the length penalty of a greedy
/// search, has its default here.
ScoreTerms score_terms(const RunOptions& options);

/// The options in which two lists of terms differ.
std::set<std::string> different_terms(const ScoreTerms& before, const ScoreTerms& now);

}  // namespace heed::config
