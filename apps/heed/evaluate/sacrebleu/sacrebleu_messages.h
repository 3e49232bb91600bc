// The messages of sacreBLEU 2.6 on standard error, and its exit codes.
#pragma once

#include <string_view>

namespace heed::apps {

/// Ends the command with this exit code, after its messages were printed.
struct Stop {
  int code;
};

class SacreBleuMessages {
 public:
  /// quiet: no information messages, and no prefix for warnings and errors.
  explicit SacreBleuMessages(bool quiet) : quiet_(quiet) {}

  void information(std::string_view message) const;
  void warning(std::string_view message) const;
  /// Prints `message` and ends the command.
  [[noreturn]] void fail(std::string_view message, int code = 1) const;

 private:
  bool quiet_;
};

}  // namespace heed::apps
