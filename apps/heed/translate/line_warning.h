// A warning that can apply to many lines of an input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace heed::apps {

/// Logs the first line with the warning at once, and the number of such lines at the end.
class LineWarning {
 public:
  /// kind: describes such lines, in a message after "3 of 40 lines".
  explicit LineWarning(std::string kind) : kind_(std::move(kind)) {}

  /// message: about this line.
  void add(std::string_view message);
  /// lines: the total number. Logs nothing if add() has reported everything.
  void finish(int64_t lines) const;

 private:
  std::string kind_;
  int64_t count_ = 0;
};

}  // namespace heed::apps
