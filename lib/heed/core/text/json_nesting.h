// How deep a JSON text is nested, found without a parser: values are copied and printed recursively, so that a file
// from somebody else could fill the stack.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

/// No JSON of heed's, or of models that it imports, is nested as deep.
inline constexpr int64_t kDeepestJson = 64;

/// Whether its arrays and objects are nested deeper than `most`. A text that is not JSON may be either.
bool is_nested_deeper(std::string_view json, int64_t most = kDeepestJson);

/// What is wrong with a text that is nested deeper than kDeepestJson: "is nested deeper than 64 levels".
std::string nested_too_deep();

}  // namespace heed
