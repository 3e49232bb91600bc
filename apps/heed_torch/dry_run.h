// `heed train --dry-run`: tries everything that a training does, in a temporary directory, and reports what it needs.
#pragma once

#include <string>

#include "heed_torch/config/run_options.h"

namespace heed::apps {

/// Reads all text, makes a few training steps, one of them with the longest sentences, then a validation and a
/// checkpoint. Removes what it wrote. Returns the report: parameters, memory, disk, speed, and the time until the
/// milestones of the training. Throws what a training with these options throws; ConfigError on several ranks.
std::string dry_run(config::RunOptions options);

}  // namespace heed::apps
