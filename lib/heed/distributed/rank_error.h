// Another rank cannot be heard any more.
#pragma once

#include <string>

#include "heed/core/error.h"

namespace heed::distributed {

class RankError : public Error {
 public:
  using Error::Error;
};

}  // namespace heed::distributed
