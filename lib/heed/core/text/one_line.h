// Keeps text on one line, for output whose lines are counted.
#pragma once

#include <algorithm>
#include <string>

namespace heed {

/// Replaces each LF and CR in `text` by a space.
inline std::string on_one_line(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace heed
