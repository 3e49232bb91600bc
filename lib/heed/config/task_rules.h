// Which options go with a task: translation, or a language model.
#pragma once

#include "heed/config/run_options.h"

namespace heed::config {

/// Throws ConfigError where the task, its preset, the model's parts and the text do not go together.
void validate_task(const RunOptions& options);

/// Throws ConfigError where an option that has no effect on the task has another value than in the preset.
void refuse_options_of_other_task(const RunOptions& preset, const RunOptions& options);

}  // namespace heed::config
