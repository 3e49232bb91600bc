// The commands and their options as JSON, for programs that write documents: the same descriptions that --help prints.
#pragma once

#include <string>
#include <string_view>

namespace heed::apps {

/// {"version", "summary", "closing": TEXT, "commands": [{"name": "bpe learn", "summary", "usage", "description",
/// "examples", "notes": TEXT, "options": [OPTION...]}...]}. An OPTION has "name", "section", "section-help", "help",
/// "kind", "choices", "expected", "restricted", "letter", "former-names", and "places": one for each alternative that
/// has the option, with its "conditions" ([CHOICE, VALUE] pairs), its "default" and whether it is "chosen". Options of
/// a command with presets also have "presets": their values by preset, for presets whose alternatives have the option.
std::string descriptions(std::string_view version);

}  // namespace heed::apps
