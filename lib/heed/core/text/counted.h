// Formats numbers, counts and lists for messages: "3 lines".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heed {

/// "1 line", "3 lines": a count with a noun whose plural ends in s.
std::string counted(int64_t count, std::string_view thing);

/// "a", "a and b", "a, b and c"; conjunction: "and", "or".
std::string listed(std::span<const std::string> things, std::string_view conjunction);

/// A whole number with commas: "28,990".
std::string format_count(int64_t count);

/// "48 s", "3 min 05 s", "2 h 07 min", "3 d 04 h".
std::string format_duration(double seconds);

}  // namespace heed
