// Formats numbers with their nouns, and lists, for messages: "3 lines".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heed {

/// "1 line", "3 lines": how many things there are whose plural ends in s.
std::string counted(int64_t count, std::string_view thing);

/// "a", "a and b", "a, b and c"; conjunction: "and", "or".
std::string listed(std::span<const std::string> things, std::string_view conjunction);

}  // namespace heed
