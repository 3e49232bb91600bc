// How a format writes pairs.
#pragma once

#include <string>

#include "heed/curation/files/pair.h"

namespace heed::curation {

class PairForm {
 public:
  virtual ~PairForm() = default;
  /// The start of a file.
  virtual std::string begin() { return {}; }
  virtual std::string unit(const Pair& pair) = 0;
  virtual std::string end() { return {}; }
};

}  // namespace heed::curation
