// The options of a training's start.
#pragma once

#include "heed/command_line/settings.h"
#include "heed_torch/config/run_options.h"

namespace heed::apps {

/// What `heed train` was given as options that go together: `config` names files, the rest overwrites what they say.
/// Without any text named, those of the training that began in the model directory. Throws ConfigError, FileError.
config::RunOptions training_options(const config::Layer& given);

}  // namespace heed::apps
