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
#include "heed/core/files/broken_pipe.h"
#include "heed/core/log.h"

namespace heed::apps {
namespace {

constexpr const char* kStandardOutput = "standard output";
constexpr int kBrokenPipe = 128 + SIGPIPE;

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
  } catch (const BrokenPipe&) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);  // ends as other filters do, which a shell shows as 141
    return kBrokenPipe;   // where that signal is blocked
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

int run_asked(const config::Invocation& asked) {
  if (!asked.help.empty()) {
    print(asked.help);
    return 0;
  }
  const config::Command& command = *asked.command;
  if (!command.applies_settings) config::apply_layers(command.options, {asked.arguments.settings});
  return command.run(asked.arguments);
}

}  // namespace

int run_guarded(const std::function<int()>& body) {
  // A reader that went away is then an error of the write, so that all that was begun is put away.
  std::signal(SIGPIPE, SIG_IGN);
  set_log_sink([](LogLevel level, std::string_view message) {
    std::fputs(fmt::format("heed: {}{}\n", level == LogLevel::Warning ? "warning: " : "", message).c_str(), stderr);
  });
  const int code = code_of(body);
  set_log_sink({});
  return code;
}

int run_program(const config::ProgramHelp& help, std::span<const config::Command> commands,
                CommandArguments arguments) {
  if (const config::Command* foreign = config::find_foreign(commands, arguments)) {
    return foreign->run_foreign(arguments);
  }
  return run_asked(config::read_command_line(help, commands, arguments));
}

int run_command(const config::Command& command, CommandArguments arguments) {
  std::vector<std::string> words{command.name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_asked(config::read_command_line({}, std::span(&command, 1), words));
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw_write_error(kStandardOutput, errno);
}

void flush_output() {
  if (std::fflush(stdout) != 0) throw_write_error(kStandardOutput, errno);
}

void require_one_standard_input(std::span<const std::string> files) {
  if (std::ranges::count(files, "-") < 2) return;
  throw ConfigError("standard input (-) is named twice; it can be read only once");
}

void require_option(bool given, std::string_view name, std::string_view explanation) {
  if (!given) throw ConfigError(fmt::format("`--{}` is missing: {}", name, explanation));
}

}  // namespace heed::apps
