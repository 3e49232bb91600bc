#include "heed/core/text/json_nesting.h"

#include <cstddef>

namespace heed {

bool is_nested_deeper(std::string_view json, int64_t most) {
  int64_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

std::string nested_too_deep() { return "is nested deeper than " + std::to_string(kDeepestJson) + " levels"; }

}  // namespace heed
