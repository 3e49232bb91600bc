// The maximum length of a line, for every model.
#pragma once

#include <cstdint>

namespace heed::translation {

/// The time and memory of attention grow with the square of a line's tokens. The time to split a word into tokens grows
/// with the square of its characters.
inline constexpr int64_t kMostTokens = 10'000;
inline constexpr int64_t kMostBytes = 200'000;

}  // namespace heed::translation
