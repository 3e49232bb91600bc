// The lines of a training text that are left out because they repeat an earlier line or are in the validation text.
#pragma once

#include <string>
#include <string_view>

#include "heed/data/overlap/line_set.h"

namespace heed::data {

struct ExcludedLines {
  std::string origin = {};  ///< SHA-256 of the text they were compared with; empty: no line is left out
  LineSet duplicates = {};
  LineSet leaking = {};

  /// Serialized, for another process.
  std::string packed() const;
  static ExcludedLines unpacked(std::string_view bytes);
  bool operator==(const ExcludedLines&) const = default;
};

}  // namespace heed::data
