// The presets of `heed train --preset`. Each is a configuration file that holds only what differs from the defaults of
// the options themselves.
#pragma once

#include <string_view>

#include "heed/config/run_options.h"

namespace heed::config {

/// The preset's settings as TOML.
std::string_view preset_toml(Preset preset);
/// The preset alone.
RunOptions preset_options(Preset preset);

}  // namespace heed::config
