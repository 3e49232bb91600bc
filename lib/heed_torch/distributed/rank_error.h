// The error that another rank is lost.
#pragma once

#include <exception>
#include <string_view>

#include "heed/core/error.h"

namespace heed::distributed {

class RankError : public Error {
 public:
  using Error::Error;
};

/// The first line of an error of c10d; its messages end with a stack trace. Lives as long as the error.
inline std::string_view first_line(const std::exception& error) {
  const std::string_view what = error.what();
  return what.substr(0, what.find('\n'));
}

}  // namespace heed::distributed
