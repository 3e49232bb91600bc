// Finds the nesting depth of a JSON text without a parser. Values are copied and printed recursively, so a file from an
// untrusted source could overflow the stack.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

/// The limit of nesting. No JSON of heed, or of models that it imports, is nested this deep.
inline constexpr int64_t kDeepestJson = 64;

/// Whether arrays and objects are nested deeper than `most`. If the text is not JSON, the result is arbitrary.
bool is_nested_deeper(std::string_view json, int64_t most = kDeepestJson);

/// What is wrong with a text that is nested deeper than kDeepestJson: "is nested deeper than 64 levels".
std::string nested_too_deep();

}  // namespace heed
