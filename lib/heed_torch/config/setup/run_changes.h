// Which options may change when a training goes on: all but those that the saved parameters, the optimizer's tensors,
// the tokenizers or the encoded text were made with. What a change makes incomparable, such as the best validation
// score, begins anew (heed_torch/training/training_state.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "heed/report/observer.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/training/training_state.h"

namespace heed::config {

/// What `now` must not change of the options that a run began with, each with the reason, as "`seed` (was 1, is 2: the
/// first parameters came from it)". Text files, which are compared by content, and the model's place may differ.
std::vector<std::string> conflicts(const RunOptions& before, const RunOptions& now);

/// The other differences between the two, but for text files and the model's place.
std::vector<training::OptionChange> option_changes(const RunOptions& before, const RunOptions& now);

/// That the validation text is another: its files, by their names.
training::OptionChange validation_text_change(const RunOptions& before, const RunOptions& now);

/// Under which terms these options leave a state. valid_text: checksums of the validation text's files, by name.
training::StateTerms state_terms(const RunOptions& options, const std::map<std::string, std::string>& valid_text);

}  // namespace heed::config
