// Shared by the programs: errors as one line and an exit code, from arguments to a command, results on standard output.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "heed/command_line/command_line.h"

namespace heed::apps {

using CommandArguments = std::span<const std::string>;

/// Runs `body` and gives its exit code. An exception becomes one line `heed: ...` on standard error and the exit code 1
/// (data) or 2 (usage); so does a standard output that could not be written to the end.
int run_guarded(const std::function<int()>& body);

/// Runs the command that `arguments` name, or prints the help that they ask for; gives the exit code. Throws
/// ConfigError.
int run_program(const config::ProgramHelp& help, std::span<const config::Command> commands, CommandArguments arguments);
/// The same for a program of one command, which `arguments` do not name.
int run_command(const config::Command& command, CommandArguments arguments);

/// `command` with an `Options` that is described to it and that run(options, given) reads.
template <class Options, class Run>
config::Command with_options(config::Command command, const Run& run) {
  const auto options = std::make_shared<Options>();
  command.options = config::walk_of(*options);
  command.run = [options, run](const config::Arguments& given) { return run(*options, given); };
  return command;
}

/// Writes to standard output, which may be held back until flush_output() or the end. Both throw FileError.
void print(std::string_view text);
void flush_output();

/// Throws ConfigError, "`--name` is missing: EXPLANATION", if `given` is false.
void require_option(bool given, std::string_view name, std::string_view explanation);

/// Throws ConfigError where standard input ("-") is among the files twice.
void require_one_standard_input(std::span<const std::string> files);

}  // namespace heed::apps
