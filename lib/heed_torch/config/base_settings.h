// The options that a fine-tuning takes over from the model that it begins with (base_options.h).
#pragma once

#include <vector>

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// The settings that follow from the model that `layers` name as `from`, a layer between the preset and all others;
/// empty without one. Throws ConfigError, FileError.
Layer base_settings(const std::vector<Layer>& layers);

/// Throws ConfigError where the options contradict the model that they begin with.
void validate_base(const RunOptions& options);

}  // namespace heed::config
