// Cuts a line that is longer than the model should see at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// Which lines are cut though they are not too long.
enum class SplitRule {
  None,       ///< no other
  Sentences,  ///< those of several sentences, into these
  Auto,       ///< those of more than usual tokens, into sentences, and these behind clauses while they have more; at
              ///< white space those of twice as many that have no clauses
};
constexpr auto option_names(SplitRule) {
  return std::array{std::pair{SplitRule::None, "none"}, std::pair{SplitRule::Sentences, "sentences"},
                    std::pair{SplitRule::Auto, "auto"}};
}
struct Splitting {
  SplitRule rule = SplitRule::None;
  int64_t max_tokens = 0;                    ///< of a part
  std::optional<int64_t> usual_tokens = {};  ///< what few lines of the training text exceeded; none: not known
  bool operator==(const Splitting&) const = default;

  /// The tokens beyond which a line is cut whatever its sentences.
  int64_t limit() const {
    return rule == SplitRule::Auto && usual_tokens ? std::min(max_tokens, *usual_tokens) : max_tokens;
  }
};
std::vector<LinePart> split_line(std::string_view line, const text::Tokenizer& tokenizer, const Splitting& splitting);

}  // namespace heed::translation
