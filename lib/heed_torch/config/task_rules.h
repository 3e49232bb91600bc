// Which options go with a task.
#pragma once

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Where the task is one of a head and the preset one of translation: the head in the decoder's place, and what follows
/// from it.
void adjust_to_task(RunOptions& preset, Task task);

/// Throws ConfigError where the task, its preset, the model's parts and the text do not go together.
void validate_task(const RunOptions& options);

/// Throws ConfigError where an option that has no effect on the task has another value than in the preset.
void refuse_options_of_other_task(const RunOptions& preset, const RunOptions& options);

}  // namespace heed::config
