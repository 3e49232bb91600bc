// Lines that are left out of a training text because of other lines: of this text or of the validation text.
#pragma once

#include <string>
#include <string_view>

#include "heed/data/overlap/line_set.h"

namespace heed::data {

struct LeftOutLines {
  std::string origin = {};  ///< SHA-256 of the text they were compared with; empty: none is left out
  LineSet duplicates = {};
  LineSet leaking = {};

  /// As bytes, for another process.
  std::string packed() const;
  static LeftOutLines unpacked(std::string_view bytes);
  bool operator==(const LeftOutLines&) const = default;
};

}  // namespace heed::data
