#include "program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/log.h"

namespace heed::apps {
namespace {

constexpr const char* kStandardOutput = "standard output";

/// Says what stopped the program: torch's errors go on with a stack trace behind the first line.
int fail(std::string_view message, int exit_code) {
  const std::string line = fmt::format("heed: {}\n", message.substr(0, message.find('\n')));
  std::fputs(line.c_str(), stderr);
  return exit_code;
}

int code_of(const std::function<int()>& body) {
  try {
    const int code = body();
    flush_output();  // what is still held back may not fit on the disk any more
    return code;
  } catch (const Error& error) {
    return fail(error.what(), error.exit_code());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(FileError(error.path1().string(), "access", error.code().value()).what(), 1);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", 1);
  } catch (const std::length_error&) {  // more than any memory has
    return fail("out of memory", 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  } catch (...) {
    return fail("an unknown error", 1);
  }
}

/// "learn, apply and vocabulary"
std::string listed(std::span<const Command> commands, std::string_view conjunction) {
  std::string text(commands[0].name);
  for (size_t i = 1; i < commands.size(); ++i) {
    text += i + 1 < commands.size() ? std::string(", ") : fmt::format(" {} ", conjunction);
    text += commands[i].name;
  }
  return text;
}

}  // namespace

int run_guarded(const std::function<int()>& body) {
  // A reader that went away is then an error of the write, which has a message.
  std::signal(SIGPIPE, SIG_IGN);
  set_log_sink([](LogLevel level, std::string_view message) {
    std::fputs(fmt::format("heed: {}{}\n", level == LogLevel::Warning ? "warning: " : "", message).c_str(), stderr);
  });
  const int code = code_of(body);
  set_log_sink({});
  return code;
}

const Command* find_command(std::span<const Command> commands, std::string_view name) {
  for (const Command& command : commands) {
    if (name == command.name || (!name.empty() && name == command.other_name)) return &command;
  }
  return nullptr;
}

int run_part(std::string_view command, std::string_view overview, std::span<const Command> parts,
             CommandArguments arguments) {
  if (arguments.empty()) {
    throw ConfigError(fmt::format("`heed {}` needs a command: {}", command, listed(parts, "or")));
  }
  const std::string& name = arguments[0];
  if (name == "--help" || name == "-h" || name == "--help-all") {
    print(overview);
    return 0;
  }
  if (const Command* part = find_command(parts, name)) return part->run(arguments.subspan(1));
  throw ConfigError(
      fmt::format("`{}` is not a command of `heed {}`, which are {}", name, command, listed(parts, "and")));
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw FileError(kStandardOutput, "write", errno);
}

void flush_output() {
  if (std::fflush(stdout) != 0) throw FileError(kStandardOutput, "write", errno);
}

std::optional<config::Arguments> parse_command_line(const config::CommandHelp& help, const config::Walk& options,
                                                    CommandArguments arguments, config::Positionals positionals) {
  const config::OptionList known = config::list_options(options);
  config::Arguments parsed = config::parse_arguments(arguments, known, positionals);
  if (parsed.help != config::HelpWanted::No) {
    const bool all = parsed.help == config::HelpWanted::All;
    print(all ? config::format_full_help(help, known) : config::format_help(help, known));
    return std::nullopt;
  }
  return parsed;
}

std::optional<config::Arguments> read_command_line(const config::CommandHelp& help, const config::Walk& options,
                                                   CommandArguments arguments, config::Positionals positionals) {
  auto parsed = parse_command_line(help, options, arguments, positionals);
  if (parsed) config::apply_layers(options, {parsed->settings});
  return parsed;
}

void require_one_standard_input(std::span<const std::string> files) {
  if (std::ranges::count(files, "-") < 2) return;
  throw ConfigError("standard input (-) is named twice; it can be read only once");
}

void require_option(bool given, std::string_view name, std::string_view explanation) {
  if (!given) throw ConfigError(fmt::format("`--{}` is missing: {}", name, explanation));
}

}  // namespace heed::apps
