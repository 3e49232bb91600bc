// The options for starting or resuming a training.
#pragma once

#include "heed/command_line/settings.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/distributed/rank_group.h"

namespace heed::apps {

/// What `heed train` was given as options: `config` names files, the rest overwrites what they say. Without any text
/// named, those of the training that began in the model directory. Throws ConfigError, FileError.
config::RunOptions training_options(const config::Layer& given);

/// Finds the files that they name, on all ranks those of rank 0, and throws ConfigError where they do not go together.
void settle_training_options(config::RunOptions& options, const config::Layer& given, distributed::RankGroup& ranks);

}  // namespace heed::apps
