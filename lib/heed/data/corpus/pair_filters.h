// Which pairs of a corpus are left out. Cleaning scripts (Moses' clean-corpus-n, OpusFilter) do the same before
// training.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/core/options.h"

namespace heed::data {

/// What a filter does with the pairs that it finds.
enum class FilterAction { Keep, LeaveOut };
constexpr auto option_names(FilterAction) {
  return std::array{std::pair{FilterAction::Keep, "keep"}, std::pair{FilterAction::LeaveOut, "leave-out"}};
}

struct PairFilters {
  std::optional<double> max_length_ratio = {};  ///< maximum ratio of the longer side's tokens to the shorter side's;
                                                ///< none: any
  FilterAction identical_sides = FilterAction::Keep;
  std::vector<std::string> source_script{};  ///< at least half of the letters must be in one of these scripts; empty:
                                             ///< any
  std::vector<std::string> target_script{};
  FilterAction duplicates = FilterAction::Keep;  ///< pairs that repeat an earlier one (overlap/text_overlap.h)
  FilterAction leaking = FilterAction::Keep;     ///< pairs that are also in the validation text
  /// Whether a filter compares lines with other lines.
  bool compare_lines() const { return duplicates == FilterAction::LeaveOut || leaking == FilterAction::LeaveOut; }
  bool operator==(const PairFilters&) const = default;
};
void describe(PairFilters& o, AnyOptionVisitor auto& visit) {
  visit("max-length-ratio", o.max_length_ratio,
        "leave out pairs if one side has more than this many times the tokens of the other (Moses: clean-corpus-n "
        "-ratio, OpusFilter: LengthRatioFilter); none: keep them",
        at_least(1));
  visit("identical-sides", o.identical_sides, "what to do with a pair whose sides are the same text");
  visit(
      "source-script", o.source_script,
      "leave out pairs whose source has letters, but less than half of them of these scripts, by Unicode's names, such "
      "as Latin, Cyrillic, or Han Hiragana Katakana (OpusFilter: CharacterScoreFilter)");
  visit("target-script", o.target_script, "the same of the target");
  visit("duplicates", o.duplicates,
        "what to do with a pair that repeats an earlier one, on both sides; the first always stays");
  visit("leaking", o.leaking,
        "what to do with a training pair that is in the validation text too, on both sides: the score of a model that "
        "has seen it says little");
}

/// Throws ConfigError, about data.source-script or data.target-script, if Unicode has no such script.
void validate(const PairFilters& filters);

/// Whether at least half of the text's letters are in one of the scripts, given by their Unicode names. True for a text
/// without letters.
bool is_in_scripts(std::string_view text, const std::vector<std::string>& scripts);

}  // namespace heed::data
