// Numbers of things in messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

/// "1 line", "3 lines": how many things there are whose plural ends in s.
std::string counted(int64_t count, std::string_view thing);

}  // namespace heed
