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
};

/// What has more characters for each of the tokens allowed is cut without counting its tokens.
inline constexpr int64_t kMostCharactersPerToken = 64;

/// The line as one part or, while a part has more than `max_tokens` ids, cut near its middle: best behind a sentence's
/// end, else behind a comma or the like, else at white space, else anywhere. No part is empty; a line without ids has
/// none. A single character is never cut. line: well-formed UTF-8.
std::vector<LinePart> split_line(std::string_view line, const text::Tokenizer& tokenizer, int64_t max_tokens);

}  // namespace heed::translation
