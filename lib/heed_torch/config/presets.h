// The presets of `heed train --preset`. Each is a configuration file, presets/NAME.toml, that holds only what differs
// from the defaults of the options themselves; the build puts the files into the program.
#pragma once

#include <string_view>

#include "heed_torch/config/run_options.h"

namespace heed::config {

/// The preset's settings as TOML.
std::string_view preset_toml(Preset preset);
/// The preset alone.
RunOptions preset_options(Preset preset);

}  // namespace heed::config
