// Which options may change when a training resumes. Options must not change if the saved parameters, the optimizer's
// tensors, the tokenizers or the encoded text depend on them. State that a change makes incomparable, such as the best
// validation score, is reset (heed_torch/training/training_state.h).
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "heed/report/observer.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/training/training_state.h"

namespace heed::config {

/// The options of `before` that `now` must not change, each with the reason: "`seed` (was 1, is 2: the first parameters
/// came from it)". Text files, which are compared by content, and the model's path may differ.
std::vector<std::string> conflicts(const RunOptions& before, const RunOptions& now);

/// The other differences between the two, except text files and the model's path.
std::vector<training::OptionChange> option_changes(const RunOptions& before, const RunOptions& now);

/// The change of the validation text: its files, by their names.
training::OptionChange validation_text_change(const RunOptions& before, const RunOptions& now);

/// The conditions under which these options leave a state. valid_text: checksums of the validation text's files, by
/// name.
training::StateConditions state_conditions(const RunOptions& options,
                                           const std::map<std::string, std::string>& valid_text);

/// What validation scores depend on, apart from the model and the text. Scores under different terms cannot be
/// compared. Options by name, with their values as text.
using ScoreOptions = std::vector<std::pair<std::string, std::string>>;

/// What scores by valid.metric depend on: everything that the validator gets (heed_torch/training/validator.h), as it
/// uses it (heed_torch/training/validation_search.h). Options without effect, such as the length penalty of a greedy
/// search, have their defaults here.
ScoreOptions score_options(const RunOptions& options);

/// The options in which two lists of terms differ.
std::set<std::string> different_options(const ScoreOptions& before, const ScoreOptions& now);

}  // namespace heed::config
