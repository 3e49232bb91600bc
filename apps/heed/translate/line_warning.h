// A warning that many lines of an input may cause.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace heed::apps {

/// Logs the first line that causes the warning, at once, and the number of lines at the end.
class LineWarning {
 public:
  /// kind: what is true of every such line, after "3 of 40 lines".
  explicit LineWarning(std::string kind) : kind_(std::move(kind)) {}

  /// message: about this line only.
  void add(std::string_view message);
  /// lines: how many there were. Logs nothing where add() has said it all.
  void finish(int64_t lines) const;

 private:
  std::string kind_;
  int64_t count_ = 0;
};

}  // namespace heed::apps
