// Cuts a line that is longer than the model should see at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::translation {

/// A stretch of a line, to be translated as a sentence of its own.
struct LinePart {
  text::Ids ids;              ///< at least one
  bool space_before = false;  ///< whether white space stood between it and the part before
  std::string text = {};      ///< what was encoded
  bool incomplete = false;    ///< whether it is a character whose last ids had to be left out
};

/// What has more characters, and more than so many for each of the tokens allowed, is cut without counting its tokens.
inline constexpr int64_t kAlwaysCounted = 4096;
inline constexpr int64_t kMostCharactersPerToken = 64;

/// The line as one part or, while a part has more than `max_tokens` ids, cut near its middle: best behind a sentence's
/// end, else behind a comma or the like, else at white space, else anywhere. No part is empty; a line without ids has
/// none. Of a single character that has more ids only the first ones are left. line: well-formed UTF-8.
std::vector<LinePart> split_line(std::string_view line, const text::Tokenizer& tokenizer, int64_t max_tokens);

}  // namespace heed::translation
