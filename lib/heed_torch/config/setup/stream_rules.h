// Which options can be used with text that is read once (data.shuffle-buffer).
#pragma once

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Throws ConfigError if the text is read once, not stored, and an option needs what such text cannot give.
void validate_shuffle_buffer(const RunOptions& options);

}  // namespace heed::config
