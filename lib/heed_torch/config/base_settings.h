// The options that fine-tuning takes over from the model that it starts from (run_options.h).
#pragma once

#include <vector>

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// The settings that follow from the model that `layers` name as `from`; empty without one. They are a layer between
/// the preset and all others. Throws ConfigError, FileError.
Layer base_settings(const std::vector<Layer>& layers);

/// Throws ConfigError if the options contradict the model that training starts from.
void validate_base(const RunOptions& options);

}  // namespace heed::config
