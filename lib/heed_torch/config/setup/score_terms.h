// What validation scores depend on, apart from the model and the text. Scores under different terms cannot be compared.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Options by name, with their values as text.
using ScoreTerms = std::vector<std::pair<std::string, std::string>>;

/// What scores by valid.metric depend on: everything that the validator gets (heed_torch/training/validator.h), as it
/// uses it (heed_torch/training/validation_search.h). Options without effect, such as the length penalty of a greedy
/// search, have their defaults here.
ScoreTerms score_terms(const RunOptions& options);

/// The options in which two lists of terms differ.
std::set<std::string> different_terms(const ScoreTerms& before, const ScoreTerms& now);

}  // namespace heed::config
