// What a program's commands are made of: a name, a help text, described options and what the command does. The options
// are described beside the struct that holds them (core/options.h); command_line.h reads them.
//
//   Command translate() {
//     const auto options = std::make_shared<TranslateOptions>();
//     return {.name = "translate",
//             .summary = "lines of text -> their translations",
//             .help = {.usage = "heed translate --model DIR", .summary = "Translates lines of text."},
//             .options = walk_of(*options),
//             .run = [options](const Arguments&) { return translate_with(*options); }};
//   }
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/command_line/settings.h"

namespace heed::config {

/// What a command line gave.
struct Arguments {
  std::vector<Setting> settings;         ///< one for each option that stood there
  std::vector<std::string> positionals;  ///< arguments that belong to no option

  /// Whether the option stood there, by its name without dashes.
  bool gives(std::string_view option) const;
};

/// The texts of --help.
struct CommandHelp {
  std::string usage;                     ///< "heed train --source FILE ... [options]"
  std::string summary;                   ///< what the command does, in a few lines
  std::string examples = {};             ///< commands as one types them, with a line on each; may be empty
  std::vector<std::string> common = {};  ///< the options that the short help shows, in its order; empty: all
  std::string closing = {};              ///< where to read on; may be empty
};

/// Whether arguments may belong to no option. Where they may, a list option takes one value each time it is given and a
/// flag none (`--flag=false` turns it off); else a list takes all values that follow, and a flag may be followed by
/// true or false.
enum class Positionals { Refused, Allowed };

struct ShortName {
  char letter;       ///< `-i`
  std::string name;  ///< of the option, without dashes
};

/// Two options and how they go together.
struct OptionPair {
  std::string option;
  std::string other;
};

struct Command {
  std::string name = {};
  std::string summary = {};     ///< what it makes of what, in a list of commands
  std::string other_name = {};  ///< goes as well
  CommandHelp help = {};
  Walk options = {};  ///< over what `run` reads
  Positionals positionals = Positionals::Refused;
  std::vector<ShortName> letters = {};
  bool underscores = false;                ///< whether options' names may have _ for -
  std::vector<OptionPair> exclusive = {};  ///< only one of the two may be given
  std::vector<OptionPair> needs = {};      ///< the first has no effect without the other

  /// Gives the exit code. Before it the settings are applied to the options, unless it does that itself.
  std::function<int(const Arguments& given)> run = {};
  bool applies_settings = false;
  /// Sets the options, whose values --help shows as defaults, to what would hold with the given settings.
  std::function<void(const std::vector<Setting>& given)> prepare_help = {};

  /// Instead of all that: reads its arguments itself, as those of another program; always, or when `is_foreign` says
  /// so.
  std::function<int(std::span<const std::string> arguments)> run_foreign = {};
  std::function<bool(std::span<const std::string> arguments)> is_foreign = {};
  /// Or instead: commands of its own, `heed bpe learn`.
  std::vector<Command> parts = {};
};

}  // namespace heed::config
