// Which options can be used with a task.
#pragma once

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Prepares the preset for the task. If the task needs a head and the preset is for translation, replaces the decoder
/// by the head and changes what depends on it.
void adjust_to_task(RunOptions& preset, Task task);

/// Throws ConfigError if the task, its preset, the model's modules and the text do not fit together.
void validate_task(const RunOptions& options);

/// Throws ConfigError if an option that has no effect on the task differs from the preset.
void refuse_options_of_other_task(const RunOptions& preset, const RunOptions& options);

}  // namespace heed::config
