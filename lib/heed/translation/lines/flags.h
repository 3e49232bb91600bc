// Warnings about unusual translations, so that a person can check them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heed/translation/lines/translation.h"

namespace heed::translation {

enum class Flag {
  Split,          ///< the line was translated in parts
  SourceCut,      ///< some of the line was not translated
  CutShort,       ///< the length limit truncated the translation
  EndedByRules,   ///< rules of the search (forbidden phrases, no repeated n-grams, ...) left no token that could follow
  TermForced,     ///< a required term is missing, or has a (geometric) mean probability below kLowTermProbability
  Unknown,        ///< the line or its translation has tokens outside the vocabulary
  Repeated,       ///< a phrase of at most kRepeatedPhrase tokens occurs kRepeats times in a row, but no phrase of the
                  ///< source does
  LengthRatio,    ///< one side has more than kLengthRatio times the tokens of the other, and kLengthExcess more
  LowConfidence,  ///< the (geometric) mean probability of a token is below kLowProbability
  PlaceholderLost,  ///< a URL, mail address or placeholder of the line is not in the translation
  NumberLost,       ///< a number of the line is not in the translation
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

/// The number of terms that a translation has with a probability below kLowTermProbability, and the number of missing
/// terms.
int64_t forced_terms(const Translation& translation);
int64_t missing_terms(const Translation& translation);

/// The flags in the order of the enum. A blank line has none.
std::vector<Flag> flags_of(const Translation& translation);

}  // namespace heed::translation
