#include "heed/text/tokenizer.h"

#include <utility>

namespace heed::text {

Ids Tokenizer::sample(std::string_view line, RandomStream&) const { return encode(line); }

LineSource concatenated(LineSource first, LineSource second) {
  return [first = std::move(first), second = std::move(second), in_first = true](std::string& line) mutable {
    if (in_first && first(line)) return true;
    in_first = false;
    return second(line);
  };
}

}  // namespace heed::text
