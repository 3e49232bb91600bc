// Whether a text contains a phrase between word boundaries, by comparing the phrase with each stretch of the text.
#pragma once

#include <string>
#include <string_view>

#include "heed/core/text/unicode.h"
#include "heed/text/word_boundary.h"

namespace heed::testing {

/// White space in a row counts as one space.
inline bool contains_phrase(std::string_view text, std::string_view phrase) {
  const auto spaced = [](std::string_view line) {
    std::u32string joined;
    for (const std::string_view word : split_whitespace(line)) {
      joined += (joined.empty() ? U"" : U" ") + to_code_points(word);
    }
    return joined;
  };
  const std::u32string all = spaced(text), wanted = spaced(phrase);
  const auto boundary = [&](size_t place) {
    return place == 0 || place == all.size() ||
           text::is_word_boundary(text::word_class(all[place - 1]), text::word_class(all[place]));
  };
  for (size_t at = all.find(wanted); !wanted.empty() && at != all.npos; at = all.find(wanted, at + 1)) {
    if (boundary(at) && boundary(at + wanted.size())) return true;
  }
  return false;
}

}  // namespace heed::testing
