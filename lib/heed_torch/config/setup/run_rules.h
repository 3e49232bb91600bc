// What the options of a run must be together, whatever each may be by itself.
#pragma once

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Throws ConfigError where options contradict each other.
void validate(const RunOptions& options);

}  // namespace heed::config
