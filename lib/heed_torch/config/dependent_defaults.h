// Defaults that follow from other options, whatever the preset says.
#pragma once

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Changes values of the preset that do not fit `chosen`, the preset with all settings applied. These settings still
/// overwrite what is changed here.
void follow_choices(RunOptions& preset, const RunOptions& chosen);

}  // namespace heed::config
