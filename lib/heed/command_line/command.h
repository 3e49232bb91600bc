// A command of a program: a name, a help text, described options and a function to run. The options are described next
// to the struct that holds them (core/options.h). command_line.h reads them.
//
//   Command translate() {
//     const auto options = std::make_shared<TranslateOptions>();
//     return {.name = "translate",
//             .summary = "lines of text -> their translations",
//             .help = {.usage = "heed translate --model DIR", .summary = "Translates lines of text."},
//             .options = visit_options(*options),
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

/// The contents of a command line.
struct Arguments {
  std::vector<Setting> settings;         ///< one per given option
  std::vector<std::string> positionals;  ///< arguments that are not options or their values

  /// Whether the option was given. option: its name without dashes.
  bool gives(std::string_view option) const;
};

/// The texts of --help.
struct CommandHelp {
  std::string usage;                     ///< "heed train --source FILE ... [options]"
  std::string summary;                   ///< a few lines about what the command does
  std::string examples = {};             ///< example commands with a line about each; may be empty
  std::vector<std::string> common = {};  ///< the options in the short help, in this order; empty: all
  std::string closing = {};              ///< where to read more; may be empty
};

/// Whether a command takes positional arguments. If it does, a list option takes one value each time it is given, and a
/// flag none (`--flag=false` turns it off). If not, a list takes all values that follow, and true or false may follow a
/// flag.
enum class Positionals { Refused, Allowed };

struct ShortName {
  char letter;       ///< `-i`
  std::string name;  ///< of the option, without dashes
};

/// Two options with a relation.
struct OptionPair {
  std::string option;
  std::string other;
};

struct Command {
  std::string name = {};
  std::string summary = {};     ///< its input and output, for the list of commands
  std::string other_name = {};  ///< an alias
  CommandHelp help = {};
  VisitOptions options = {};  ///< the options that `run` reads
  Positionals positionals = Positionals::Refused;
  std::vector<ShortName> letters = {};
  bool underscores = false;                ///< whether names may have _ instead of -
  std::vector<OptionPair> exclusive = {};  ///< only one of each pair may be given
  std::vector<OptionPair> needs = {};      ///< the first has no effect without the other

  /// Returns the exit code. The settings have been applied to the options before, unless applies_settings is true.
  std::function<int(const Arguments& given)> run = {};
  bool applies_settings = false;
  /// Sets the options to their values under the given settings, so that --help shows these as defaults.
  std::function<void(const std::vector<Setting>& given)> prepare_help = {};

  /// Replaces all of the above: the command reads its arguments itself, in the syntax of another program. If
  /// `parses_itself` is set, only if it returns true.
  std::function<int(std::span<const std::string> arguments)> run_raw = {};
  std::function<bool(std::span<const std::string> arguments)> parses_itself = {};
  /// Replaces all of the above: the command has subcommands, as in `heed bpe learn`.
  std::vector<Command> parts = {};
};

}  // namespace heed::config
