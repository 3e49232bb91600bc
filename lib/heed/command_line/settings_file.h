// Reads and writes settings as TOML (https://toml.io): `d-model = 256` in the table `[arch]` is the option
// `arch.d-model`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heed/command_line/settings.h"

namespace heed::config {

/// Reads a configuration file. Throws FileError; ConfigError with path:line if it is not TOML, or a key has more parts
/// than any option.
std::vector<Setting> read_settings(const std::string& path);
/// The same for config.toml of a model directory. Throws InputError if it is not a regular file.
std::vector<Setting> read_model_settings(const std::string& path);
/// Reads settings from a string. name: replaces the path in messages.
std::vector<Setting> parse_settings(std::string_view toml, const std::string& name);

/// Writes the options that `walk` visits as TOML, with one table per section and only the selected alternatives.
/// Reading it gives the same values.
std::string format_settings(const VisitOptions& walk);

}  // namespace heed::config
