// Which options go with text that is read once (data.shuffle-buffer).
#pragma once

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Throws ConfigError where the text is read once, and not stored, and an option asks for what such text cannot give.
void validate_shuffle_buffer(const RunOptions& options);

}  // namespace heed::config
