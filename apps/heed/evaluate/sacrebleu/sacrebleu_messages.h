// The messages of sacreBLEU 2.6 on standard error, and its exit codes.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "heed/core/text/printable.h"

namespace heed::apps {

/// Ends the command with this exit code, after its messages were printed.
struct Stop {
  int code;
};

class SacreBleuMessages {
 public:
  /// quiet: no information messages, and no prefix for warnings and errors.
  explicit SacreBleuMessages(bool quiet) : quiet_(quiet) {}

  void information(std::string_view message) const {
    if (!quiet_) warning(message);
  }
  void warning(std::string_view message) const {
    const std::string line = (quiet_ ? "" : "sacreBLEU: ") + printable_message(message) + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
  /// Prints `message` and ends the command.
  [[noreturn]] void fail(std::string_view message, int code = 1) const {
    warning(message);
    throw Stop{code};
  }

 private:
  bool quiet_;
};

}  // namespace heed::apps
