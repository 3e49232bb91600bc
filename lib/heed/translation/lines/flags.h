// What is unusual about a translation, so that somebody may look at it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heed/translation/lines/translation.h"

namespace heed::translation {

enum class Flag {
  Split,          ///< the line was translated in parts
  SourceCut,      ///< some of the line was left out
  CutShort,       ///< the length limit cut the translation
  EndedByRules,   ///< rules of the search left no token to follow: forbidden phrases, no repeated n-grams, ...
  TermForced,     ///< a required term is missing, or has a (geometric) mean probability below kLowTermProbability
  Unknown,        ///< the line or its translation has tokens that the vocabulary lacks
  Repeated,       ///< a phrase of at most kRepeatedPhrase tokens stands kRepeats times in a row, and none in the source
  LengthRatio,    ///< one side has more than kLengthRatio times the tokens of the other, and kLengthExcess more
  LowConfidence,  ///< the (geometric) mean probability of a token is below kLowProbability
};
std::string_view name_of(Flag flag);
/// All names, in the order of the enum.
std::span<const std::string_view> flag_names();

inline constexpr size_t kRepeatedPhrase = 8;
inline constexpr size_t kRepeats = 3;
inline constexpr double kLengthRatio = 3;
inline constexpr double kLengthExcess = 5;
inline constexpr double kLowProbability = 0.2;
inline constexpr double kLowTermProbability = 0.01;

/// How many terms of a translation are there with a probability below kLowTermProbability, and how many are missing.
int64_t forced_terms(const Translation& translation);
int64_t missing_terms(const Translation& translation);

/// In the order of the enum. A blank line has none.
std::vector<Flag> flags_of(const Translation& translation);

}  // namespace heed::translation
