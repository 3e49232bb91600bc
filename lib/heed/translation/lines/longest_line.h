// How much of any line is read at once, whatever the model.
#pragma once

#include <cstdint>

namespace heed::translation {

/// Attention takes time and memory that grow with the square of a line's tokens, and cutting a word into tokens does
/// with that of its characters.
inline constexpr int64_t kMostTokens = 10'000;
inline constexpr int64_t kMostBytes = 200'000;

}  // namespace heed::translation
