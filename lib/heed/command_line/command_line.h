// Reads a program's command line, by CLI11 (https://github.com/CLIUtils/CLI11): commands are its subcommands, and their
// described options are registered when one is chosen.
//   --name value   --name=value   --flag   --flag=false   --list a b c   -n value   --  (the rest belongs to no option)
// A scalar option may be given again: the last one wins.
#pragma once

#include <span>
#include <string>

#include "heed/command_line/command.h"

namespace heed::config {

/// What --help says of a program as a whole.
struct ProgramHelp {
  std::string name;     ///< "heed"
  std::string summary;  ///< before the list of commands
  std::string closing;  ///< behind it
};

/// What a command line asks for.
struct Invocation {
  const Command* command = nullptr;  ///< whose run() is called for
  Arguments arguments = {};
  std::string help = {};  ///< to be printed instead of running anything, if it is not empty
};

/// arguments: without the program's name. The command is not one that reads its arguments itself (see find_foreign).
/// Throws ConfigError, in one sentence, for a command or option that does not exist (with the nearest ones), a value
/// that is missing or does not fit, options that do not go together, and an argument that belongs to no option.
Invocation read_command_line(const ProgramHelp& program, std::span<const Command> commands,
                             std::span<const std::string> arguments);

/// The command that `arguments` begin with, if it reads its arguments itself, and these: `words` loses the names.
const Command* find_foreign(std::span<const Command> commands, std::span<const std::string>& words);

}  // namespace heed::config
