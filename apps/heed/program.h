// What both programs share: they run the command that the arguments name, print results to standard output, and turn
// errors into one line and an exit code.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "heed/command_line/command_line.h"

namespace heed::apps {

using CommandArguments = std::span<const std::string>;

/// Runs `body` and returns its exit code. An exception becomes one line `heed: ...` on standard error and the exit code
/// 1 (data) or 2 (usage). So does an incomplete write to standard output.
int run_guarded(const std::function<int()>& body);

/// Runs the command that `arguments` name, or prints the help that they ask for. Returns the exit code. Throws
/// ConfigError.
int run_program(const config::ProgramHelp& help, std::span<const config::Command> commands, CommandArguments arguments);
/// The same for a program with a single command, whose name is not in `arguments`.
int run_command(const config::Command& command, CommandArguments arguments);

/// Adds an `Options` to `command`: its options are parsed into it, then run(options, given) is called.
template <class Options, class Run>
config::Command with_options(config::Command command, const Run& run) {
  const auto options = std::make_shared<Options>();
  command.options = config::visit_options(*options);
  command.run = [options, run](const config::Arguments& given) { return run(*options, given); };
  return command;
}

/// Writes to standard output, which is buffered until flush_output() or the end. Both throw FileError.
void print(std::string_view text);
void flush_output();

/// Throws ConfigError, "`--name` is missing: EXPLANATION", if `given` is false.
void require_option(bool given, std::string_view name, std::string_view explanation);

/// Throws ConfigError if standard input ("-") is named more than once.
void require_one_standard_input(std::span<const std::string> files);

}  // namespace heed::apps
