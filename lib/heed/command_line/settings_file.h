// Settings as TOML: `[arch]` and below it `d-model = 256` is the option `arch.d-model`. https://toml.io
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heed/command_line/settings.h"

namespace heed::config {

/// Reads a configuration file. Throws FileError, or ConfigError with path:line for what is not TOML or has a key of
/// more parts than any option.
std::vector<Setting> read_settings(const std::string& path);
/// The same for config.toml of a model directory, which is a regular file. Throws InputError when it is not.
std::vector<Setting> read_model_settings(const std::string& path);
/// Reads settings from a text; `name` stands for the path in messages.
std::vector<Setting> parse_settings(std::string_view toml, const std::string& name);

/// The options that `walk` visits as TOML that reads back to the same values: one section for each of theirs, only
/// the alternatives chosen.
std::string format_settings(const Walk& walk);

}  // namespace heed::config
