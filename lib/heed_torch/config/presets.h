// The presets of `heed train --preset`. Each is a configuration file presets/NAME.toml with only the values that differ
// from the options' defaults. The build embeds the files in the program.
#pragma once

#include <string_view>

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// The preset's settings as TOML.
std::string_view preset_toml(Preset preset);
/// The options of the preset without any other settings.
RunOptions preset_options(Preset preset);

}  // namespace heed::config
