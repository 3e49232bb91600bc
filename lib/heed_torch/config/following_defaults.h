// Defaults that follow from other choices, whatever the preset has.
#pragma once

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Changes the values of the preset that do not go with `chosen`: the preset with all settings on top of it, which
/// still overwrite what is changed here.
void follow_choices(RunOptions& preset, const RunOptions& chosen);

}  // namespace heed::config
