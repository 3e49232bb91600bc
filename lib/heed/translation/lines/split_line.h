// Splits a line that is too long for the model.
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

/// A part of a line that is translated like a sentence.
struct LinePart {
  text::Ids ids;              ///< at least one id
  bool space_before = false;  ///< whether white space separates it from the previous part
  std::string text = {};      ///< the text of the ids
  bool incomplete = false;    ///< whether it is a single character whose last ids were dropped
};

/// Text that exceeds both limits is split without encoding it: kAlwaysCounted characters, and kMostCharactersPerToken
/// characters per allowed token.
inline constexpr int64_t kAlwaysCounted = 4096;
inline constexpr int64_t kMostCharactersPerToken = 64;

/// The line as one part. A part with more than `max_tokens` ids is split near its middle: preferably after a sentence,
/// else after a clause (a comma, for example), else at white space, else anywhere. No part is empty; a line without ids
/// has no parts. A single character with more ids keeps only the first ones. line: well-formed UTF-8.
std::vector<LinePart> split_line(std::string_view line, const text::Tokenizer& tokenizer, int64_t max_tokens);

/// Which lines are split although they are not too long.
enum class SplitRule {
  None,       ///< no lines
  Sentences,  ///< lines of several sentences are split into these
  Auto,       ///< lines of more than usual_tokens are split into sentences, then after clauses while a part still has
              ///< more. A part without clauses is split at white space if it has more than 2 * usual_tokens
};
constexpr auto option_names(SplitRule) {
  return std::array{std::pair{SplitRule::None, "none"}, std::pair{SplitRule::Sentences, "sentences"},
                    std::pair{SplitRule::Auto, "auto"}};
}
struct Splitting {
  SplitRule rule = SplitRule::None;
  int64_t max_tokens = 0;                    ///< maximum of a part
  std::optional<int64_t> usual_tokens = {};  ///< a length that few lines of the training text exceed; none: unknown
  bool operator==(const Splitting&) const = default;

  /// The number of tokens above which a line is split whatever its sentences.
  int64_t limit() const {
    return rule == SplitRule::Auto && usual_tokens ? std::min(max_tokens, *usual_tokens) : max_tokens;
  }
};
std::vector<LinePart> split_line(std::string_view line, const text::Tokenizer& tokenizer, const Splitting& splitting);

}  // namespace heed::translation
