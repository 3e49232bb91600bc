// Reads a program's command line with CLI11 (https://github.com/CLIUtils/CLI11). Commands are subcommands of CLI11; the
// options of a command are registered when it is selected.
//   --name value   --name=value   --flag   --flag=false   --list a b c   -n value   --  (only positionals follow)
// If a scalar option is repeated, the last value counts.
#pragma once

#include <span>
#include <string>

#include "heed/command_line/command.h"

namespace heed::config {

/// The help of the program as a whole.
struct ProgramHelp {
  std::string name;     ///< "heed"
  std::string summary;  ///< before the list of commands
  std::string closing;  ///< after the list of commands
};

/// The result of reading a command line.
struct Invocation {
  const Command* command = nullptr;  ///< the command to run
  Arguments arguments = {};
  std::string help = {};  ///< if not empty: print this help instead of running the command
};

/// arguments: without the program's name. Commands that read their arguments themselves are excluded (see
/// find_raw_command). Throws ConfigError, in one sentence, for an unknown command or option (with similar names), a
/// missing or invalid value, conflicting options, and an unexpected argument.
Invocation read_command_line(const ProgramHelp& program, std::span<const Command> commands,
                             std::span<const std::string> arguments);

/// The command that `arguments` begin with, if it reads its arguments itself; else null. words: in, all arguments; out,
/// those after the names.
const Command* find_raw_command(std::span<const Command> commands, std::span<const std::string>& words);

}  // namespace heed::config
