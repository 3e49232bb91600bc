// Names that look like a mistyped one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::config {

/// The number of insertions, deletions, replacements and swaps of neighbors between two names (optimal string
/// alignment).
size_t edit_distance(std::string_view a, std::string_view b);

/// The names that `wanted` may mean: those with the fewest edits, at most one for each three characters, and those that
/// begin with it.
std::vector<std::string> near_names(std::string_view wanted, std::span<const std::string> names);

}  // namespace heed::config
