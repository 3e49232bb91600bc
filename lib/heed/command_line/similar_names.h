// Finds names similar to a mistyped one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::config {

/// The number of insertions, deletions, replacements and swaps of adjacent characters between two names (optimal string
/// alignment).
size_t edit_distance(std::string_view a, std::string_view b);

/// The names that `wanted` may mean: those with the fewest edits, at most one edit per three characters, and those that
/// begin with it or have it between dashes.
std::vector<std::string> similar_names(std::string_view wanted, std::span<const std::string> names);

/// "; did you mean `a` or `b`?" with the similar names; empty if there are none.
std::string did_you_mean(std::string_view wanted, std::span<const std::string> names);

}  // namespace heed::config
