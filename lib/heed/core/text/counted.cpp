#include "heed/core/text/counted.h"

#include <fmt/format.h>

namespace heed {

std::string counted(int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace heed
