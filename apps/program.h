// What both programs share: the guard around a command, the table of commands, results on standard output.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heed/config/command_line/arguments.h"
#include "heed/config/command_line/help.h"
#include "heed/config/command_line/option_list.h"

namespace heed::apps {

using CommandArguments = std::span<const std::string>;

struct Command {
  std::string_view name;
  int (*run)(CommandArguments arguments);  ///< gives the exit code; `arguments` begin behind the command's name
  std::string_view other_name = {};        ///< goes as well
};

/// Runs `body` and gives its exit code. An exception becomes one line `heed: ...` on standard error and the exit code 1
/// (data) or 2 (usage); so does a standard output that could not be written to the end.
int run_guarded(const std::function<int()>& body);

/// The command of this name; null if there is none.
const Command* find_command(std::span<const Command> commands, std::string_view name);

/// Runs the part of `heed COMMAND` that the first of `arguments` names, or prints `overview` where help is asked for.
/// Throws ConfigError, listing the parts, without one of them.
int run_part(std::string_view command, std::string_view overview, std::span<const Command> parts,
             CommandArguments arguments);

/// Writes to standard output, which may be held back until flush_output() or the end. Both throw FileError.
void print(std::string_view text);
void flush_output();

/// Splits a command's arguments; prints the help and gives nothing where that was asked for.
std::optional<config::Arguments> parse_command_line(const config::CommandHelp& help, const config::Walk& options,
                                                    CommandArguments arguments, config::Positionals positionals);
/// The same, and sets `options` from them.
std::optional<config::Arguments> read_command_line(const config::CommandHelp& help, const config::Walk& options,
                                                   CommandArguments arguments, config::Positionals positionals);

/// Throws ConfigError, "`--name` is missing: EXPLANATION", if `given` is false.
void require_option(bool given, std::string_view name, std::string_view explanation);

/// Throws ConfigError where standard input ("-") is among the files twice.
void require_one_standard_input(std::span<const std::string> files);

}  // namespace heed::apps
