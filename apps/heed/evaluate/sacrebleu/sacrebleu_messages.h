// The messages of sacreBLEU 2.6 on standard error, and its exit codes.
#pragma once

#include <string_view>

namespace heed::apps {

/// Ends the command with this exit code, after what was to be said has been said.
struct Stop {
  int code;
};

class SacreBleuMessages {
 public:
  /// Quiet: no information, and no name before warnings and errors.
  explicit SacreBleuMessages(bool quiet) : quiet_(quiet) {}

  void information(std::string_view message) const;
  void warning(std::string_view message) const;
  /// Says `message` and ends the command.
  [[noreturn]] void fail(std::string_view message, int code = 1) const;

 private:
  bool quiet_;
};

}  // namespace heed::apps
