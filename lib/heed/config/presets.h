// The presets of `heed train --preset`. Each is a configuration file that holds only what differs from the defaults of
// the options themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heed/config/run_options.h"

namespace heed::config {

/// The preset's settings as TOML.
std::string_view preset_toml(Preset preset);
/// The preset alone.
RunOptions preset_options(Preset preset);
/// The tables of the README, one a family: what the presets differ in, in Markdown.
std::vector<std::string> preset_tables();

}  // namespace heed::config
