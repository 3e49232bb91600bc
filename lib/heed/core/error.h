// The errors heed throws. Bad input by the user is an Error: one clear sentence that names the place (file:line or
// option), what was expected and what was found. Misuse by the programmer is a std::logic_error thrown by check().
#pragma once

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heed {

/// Anything that stops a command: main prints what() as one line on stderr and exits with exit_code().
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  virtual int exit_code() const { return 1; }
};

/// What messages call the input at a path: "standard input" for "-".
std::string input_name(const std::string& path);

/// A file's content is not what it must be. what() reads `path:line: message` (line 0: the file as a whole).
class InputError : public Error {
 public:
  InputError(const std::string& path, int64_t line, const std::string& message);
  /// For what concerns several files: what() is the message.
  explicit InputError(const std::string& message) : Error(message) {}
};

/// An option has a value it cannot have, does not exist, or does not apply. what() reads "`key` message". Exit code 2.
class ConfigError : public Error {
 public:
  ConfigError(const std::string& key, const std::string& message);
  explicit ConfigError(const std::string& message) : Error(message) {}
  int exit_code() const override { return 2; }
};

/// A model directory or checkpoint lacks something or is damaged. what() reads `path: message`.
class CheckpointError : public Error {
 public:
  CheckpointError(const std::string& path, const std::string& message);
};

/// The operating system refused an operation on a file. what() reads `path: cannot VERB: reason`, reason from errno.
class FileError : public Error {
 public:
  FileError(const std::string& path, std::string_view verb, int error_number);
};

/// Throws std::logic_error with the caller's place unless `condition` holds.
void check(bool condition, std::string_view message, std::source_location place = std::source_location::current());

}  // namespace heed
