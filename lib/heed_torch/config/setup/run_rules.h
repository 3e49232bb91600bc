// Rules about combinations of a run's options. Each option is valid by itself.
#pragma once

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Throws ConfigError if options contradict each other.
void validate(const RunOptions& options);

/// Throws ConfigError if the text is read once (data.shuffle-buffer) and an option needs a stored text.
void validate_shuffle_buffer(const RunOptions& options);

}  // namespace heed::config
