#include "program.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "heed/command_line/former_names.h"
#include "heed/core/error.h"
#include "heed/core/exception_text.h"
#include "heed/core/files/broken_pipe.h"
#include "heed/core/log.h"
#include "heed/core/text/printable.h"

namespace heed::apps {
namespace {

constexpr const char* kStandardOutput = "standard output";
constexpr int kBrokenPipe = 128 + SIGPIPE;

/// Writes one line to standard error, in one system call and without allocating memory.
void write_line(std::string_view message) noexcept {
  const auto part = [](std::string_view text) { return iovec{const_cast<char*>(text.data()), text.size()}; };
  const std::array parts{part("heed: "), part(message), part("\n")};
  [[maybe_unused]] const ssize_t written = writev(STDERR_FILENO, parts.data(), parts.size());
}

int fail_without_memory() noexcept {
  write_line("out of memory");
  return 1;
}

/// Prints the reason why the program ends. Throws std::bad_alloc.
int fail(std::string_view message, int exit_code) {
  write_line(printable_message(message));
  return exit_code;
}

/// If standard input, output or error is closed, opens /dev/null in its place. Otherwise the next opened file would
/// take its descriptor and receive its output. Input is opened for writing and output for reading, so that using them
/// is still an error, as with a closed descriptor. Throws FileError.
void open_closed_standard_files() {
  constexpr const char* kNothing = "/dev/null";
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int opened = open(kNothing, descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY);  // open returns the lowest
                                                                                           // free descriptor
    if (opened != descriptor) throw FileError(kNothing, "open", opened < 0 ? errno : EBADF);
  }
}

/// Memory can run out where an exception cannot be caught, such as in a destructor or another thread of a library. The
/// program then ends as in run_guarded(). Other terminations do not change. This function runs before the construction
/// of static objects, which also needs memory.
[[gnu::constructor(101)]] void set_terminate_handler() {
  static const std::terminate_handler usual = std::get_terminate();
  std::set_terminate([] {
    const auto thrown = std::current_exception();
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
      _exit(fail_without_memory());
    } catch (...) {
      usual();
    }
    usual();
  });
}

/// Throws std::bad_alloc if memory runs out.
int code_of(const std::function<int()>& body) {
  try {
    open_closed_standard_files();
    const int code = body();
    flush_output();  // the disk may be full now
    return code;
  } catch (const BrokenPipe&) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);  // ends like other filters; a shell reports 141
    return kBrokenPipe;   // if the signal is blocked
  } catch (const Error& error) {
    return fail(error.what(), error.exit_code());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::length_error&) {  // a size that exceeds all memory
    throw std::bad_alloc();
  } catch (const std::exception& error) {
    return fail(sentence_of(error), 1);
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
  // A closed pipe and a file size limit then become write errors, so that unfinished files are removed.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  set_log_sink([](LogLevel level, std::string_view message) {
    const char* kind = level == LogLevel::Warning ? "warning: " : "";
    std::fputs(fmt::format("heed: {}{}\n", kind, printable_message(message)).c_str(), stderr);
  });
  int code = 0;
  try {
    code = code_of(body);
  } catch (const std::bad_alloc&) {
    code = fail_without_memory();
  }
  set_log_sink({});
  return code;
}

int run_program(const config::ProgramHelp& help, std::span<const config::Command> commands,
                CommandArguments arguments) {
  if (const config::Command* foreign = config::find_raw_command(commands, arguments)) {
    return foreign->run_raw(arguments);
  }
  try {
    return run_asked(config::read_command_line(help, commands, arguments));
  } catch (const ConfigError& error) {
    throw ConfigError(config::with_typed_names(error.what(), arguments));
  }
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
