// The grammar of a command line: `--name value`, `--name=value`, `--flag`, `--list a b c`, what else stands there, and
// `--` before arguments that begin with dashes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/config/command_line/settings.h"

namespace heed::config {

enum class HelpWanted { No, Common, All };

struct Arguments {
  std::vector<Setting> settings;
  std::vector<std::string> positionals;
  HelpWanted help = HelpWanted::No;  ///< -h, --help or --help-all stood there; the rest is then not read

  /// Whether the option stood there, by its name without dashes.
  bool gives(std::string_view option) const;
};

/// Whether arguments may stand alone. A list option then takes one value each time it is given, else all that follow.
enum class Positionals { Refused, Allowed };

/// Splits `arguments` (without the names of program and command). Throws ConfigError for an option that does not
/// exist, is given twice (unless a list), lacks its value, or has an empty one that would mean the same as none.
Arguments parse_arguments(std::span<const std::string> arguments, const OptionList& known, Positionals positionals);

}  // namespace heed::config
