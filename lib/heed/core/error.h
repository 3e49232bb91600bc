// The errors that heed throws. Wrong input is an Error: one clear sentence with the place (file:line or option), what
// was expected and what was found. Wrong use of the code is a std::logic_error, thrown by check().
#pragma once

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heed {

/// Any error that ends a command. main prints what() as one line on stderr and exits with exit_code().
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  virtual int exit_code() const { return 1; }
};

/// The name in messages for the input at a path: "standard input" for "-", else the path.
std::string input_name(const std::string& path);

/// The content of a file is invalid. what() is `path:line: message` (line 0: the whole file).
class InputError : public Error {
 public:
  InputError(const std::string& path, int64_t line, const std::string& message);
  /// An error that concerns several files: what() is the message.
  explicit InputError(const std::string& message) : Error(message) {}
};

/// An option has an invalid value, does not exist, or does not apply. what() is "`key` message". Exit code 2.
class ConfigError : public Error {
 public:
  ConfigError(const std::string& key, const std::string& message);
  explicit ConfigError(const std::string& message) : Error(message) {}
  int exit_code() const override { return 2; }
};

/// A model directory or checkpoint is incomplete or damaged. what() is `path: message`.
class CheckpointError : public Error {
 public:
  CheckpointError(const std::string& path, const std::string& message);
};

/// An operation on a file failed in the operating system. what() is `path: cannot VERB: reason`, with the reason from
/// errno.
class FileError : public Error {
 public:
  FileError(const std::string& path, std::string_view verb, int error_number);
};

/// Throws std::logic_error with the caller's source location unless `condition` is true.
void check(bool condition, std::string_view message, std::source_location place = std::source_location::current());

}  // namespace heed
