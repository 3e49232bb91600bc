#include "heed/data/overlap/left_out_lines.h"

#include <charconv>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::data {

/// The format: "ORIGIN SIZE LF", then the bytes of both sets. SIZE is that of the first set.
std::string ExcludedLines::packed() const {
  return fmt::format("{} {}\n{}{}", origin, duplicates.bytes().size(), duplicates.bytes(), leaking.bytes());
}

ExcludedLines ExcludedLines::unpacked(std::string_view bytes) {
  const size_t space = bytes.find(' '), end = bytes.find('\n');
  check(end != std::string_view::npos && space < end, "lines to leave out begin with a line about them");
  size_t size = 0;
  std::from_chars(bytes.data() + space + 1, bytes.data() + end, size);
  const std::string_view sets = bytes.substr(end + 1);
  check(size <= sets.size(), "lines to leave out were cut short on their way");
  return {.origin = std::string(bytes.substr(0, space)),
          .duplicates = LineSet(sets.substr(0, size)),
          .leaking = LineSet(sets.substr(size))};
}

}  // namespace heed::data
