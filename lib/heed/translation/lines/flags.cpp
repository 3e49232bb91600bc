#include "heed/translation/lines/flags.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace heed::translation {
namespace {

constexpr std::array<std::string_view, 11> kNames{"split",          "source-cut",       "cut-short",  "ended-by-rules",
                                                  "term-forced",    "unknown",          "repeated",   "length-ratio",
                                                  "low-confidence", "placeholder-lost", "number-lost"};

bool has_unknown(const text::Ids& ids) { return std::ranges::find(ids, text::kUnk) != ids.end(); }

/// Whether any `size` tokens occur kRepeats times in a row.
bool repeats(std::span<const int32_t> ids, size_t size) {
  size_t same = 0;  // tokens in a row that equal the token `size` positions earlier
  for (size_t i = size; i < ids.size(); ++i) {
    same = ids[i] == ids[i - size] ? same + 1 : 0;
    if (same == (kRepeats - 1) * size) return true;
  }
  return false;
}

bool repeats(const text::Ids& ids) {
  for (size_t size = 1; size <= kRepeatedPhrase; ++size) {
    if (repeats(ids, size)) return true;
  }
  return false;
}

bool unusual_ratio(const Translation& translation) {
  if (translation.source.empty()) return false;  // the source has only vectors
  const auto [shorter, longer] = std::minmax({translation.source.size(), translation.target.size()});
  const auto less = static_cast<double>(shorter), more = static_cast<double>(longer);
  return more > kLengthRatio * less && more > less + kLengthExcess;
}

bool low_confidence(const Translation& translation) {
  return translation.log_probability < std::log(kLowProbability) * static_cast<double>(translation.scored_tokens());
}

}  // namespace

std::span<const std::string_view> flag_names() { return kNames; }

std::string_view name_of(Flag flag) { return kNames.at(static_cast<size_t>(flag)); }

int64_t forced_terms(const Translation& translation) {
  return std::ranges::count_if(translation.term_log_probabilities,
                               [](double value) { return value < std::log(kLowTermProbability); });
}

int64_t missing_terms(const Translation& translation) {
  return translation.terms - std::ssize(translation.term_log_probabilities);
}

std::vector<Flag> flags_of(const Translation& translation) {
  std::vector<Flag> flags;
  if (translation.parts == 0) return flags;
  const auto add = [&](Flag flag, bool holds) {
    if (holds) flags.push_back(flag);
  };
  add(Flag::Split, translation.parts > 1);
  add(Flag::SourceCut, !translation.source_complete);
  add(Flag::CutShort, !translation.complete);
  add(Flag::EndedByRules, translation.ended_by_rules);
  add(Flag::TermForced, forced_terms(translation) + missing_terms(translation) > 0);
  add(Flag::Unknown, has_unknown(translation.source) || has_unknown(translation.target));
  add(Flag::Repeated, repeats(translation.target) && !repeats(translation.source));
  add(Flag::LengthRatio, unusual_ratio(translation));
  add(Flag::LowConfidence, low_confidence(translation));
  add(Flag::PlaceholderLost, translation.loses_placeholder);
  add(Flag::NumberLost, translation.loses_number);
  return flags;
}

}  // namespace heed::translation
