// The options that fine-tuning takes from its base model (run_options.h).
#pragma once

#include <vector>

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// The settings of the base model, which is `from` in `layers`; empty without one. They are a layer between
/// the preset and all others. Throws ConfigError, FileError.
Layer base_settings(const std::vector<Layer>& layers);

/// Throws ConfigError if the options contradict the base model.
void validate_base(const RunOptions& options);

}  // namespace heed::config
