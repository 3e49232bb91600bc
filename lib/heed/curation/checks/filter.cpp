#include "heed/curation/checks/filter.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed::curation {
namespace {

struct PeerFilter {
  std::string_view theirs;
  std::string_view toolkit;
  std::string_view ours;  // empty: none
};

/// The filters of OpusFilter 3 and of bicleaner's hard rules (bicleaner-hardrules 2).
constexpr PeerFilter kPeerFilters[] = {
    {"LengthFilter", "OpusFilter", "length"},
    {"LengthRatioFilter", "OpusFilter", "ratio"},
    {"LongWordFilter", "OpusFilter", "length"},
    {"AverageWordLengthFilter", "OpusFilter", "language"},
    {"HtmlTagFilter", "OpusFilter", "markup"},
    {"RegExpFilter", "OpusFilter", ""},
    {"AlphabetRatioFilter", "OpusFilter", "script"},
    {"CharacterScoreFilter", "OpusFilter", "script"},
    {"LanguageIDFilter", "OpusFilter", "language"},
    {"FastTextFilter", "OpusFilter", "language"},
    {"Cld2Filter", "OpusFilter", "language"},
    {"LangidFilter", "OpusFilter", "language"},
    {"LinguaFilter", "OpusFilter", "language"},
    {"TerminalPunctuationFilter", "OpusFilter", "truncated"},
    {"NonZeroNumeralsFilter", "OpusFilter", "numbers"},
    {"LongestCommonSubstringFilter", "OpusFilter", "copied"},
    {"SimilarityFilter", "OpusFilter", "copied"},
    {"RepetitionFilter", "OpusFilter", ""},
    {"WordAlignFilter", "OpusFilter", "misaligned"},
    {"SentenceEmbeddingFilter", "OpusFilter", "misaligned"},
    {"CrossEntropyFilter", "OpusFilter", "language"},
    {"CrossEntropyDifferenceFilter", "OpusFilter", "language"},
    {"LMClassifierFilter", "OpusFilter", "language"},
    {"no_empty", "bicleaner", "empty"},
    {"not_too_long", "bicleaner", "length"},
    {"not_too_short", "bicleaner", "length"},
    {"length_ratio", "bicleaner", "ratio"},
    {"no_identical", "bicleaner", "copied"},
    {"no_wrong_language", "bicleaner", "language"},
    {"reliable_long_language", "bicleaner", "language"},
    {"no_bad_encoding", "bicleaner", "encoding"},
    {"no_unicode_noise", "bicleaner", "encoding"},
    {"no_escaped_unicode", "bicleaner", "encoding"},
    {"no_literals", "bicleaner", "markup"},
    {"no_only_numbers", "bicleaner", ""},
    {"no_only_symbols", "bicleaner", ""},
    {"no_urls", "bicleaner", ""},
    {"no_titles", "bicleaner", ""},
    {"no_paren", "bicleaner", "markup"},
    {"no_repeated_words", "bicleaner", ""},
};

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const auto& [filter, name] : option_names(Filter{})) names.emplace_back(name);
  return names;
}

[[noreturn]] void refuse(const std::string& name, const std::string& option) {
  const auto* peer = std::ranges::find(kPeerFilters, name, &PeerFilter::theirs);
  if (peer != std::end(kPeerFilters)) {
    throw ConfigError(option, peer->ours.empty()
                                  ? fmt::format("has no filter like {}'s `{}`", peer->toolkit, name)
                                  : fmt::format("must name heed's filters: `{}` is the closest to {}'s `{}`",
                                                peer->ours, peer->toolkit, name));
  }
  throw ConfigError(option, fmt::format("must name filters ({}), found `{}`", listed(all_names(), "and"), name));
}

}  // namespace

std::string_view description_of(Filter filter) {
  switch (filter) {
    case Filter::Empty:
      return "a side is empty, or only spaces";
    case Filter::Encoding:
      return "bytes that are not UTF-8, or text decoded with the wrong encoding";
    case Filter::Control:
      return "control characters";
    case Filter::Length:
      return "a side is very long, or has a very long word";
    case Filter::Ratio:
      return "the lengths do not fit each other";
    case Filter::Truncated:
      return "a side seems to be truncated";
    case Filter::Copied:
      return "the source was copied, not translated";
    case Filter::Language:
      return "a side is in another language";
    case Filter::Script:
      return "a side is in another script, or mixes scripts within words";
    case Filter::Misaligned:
      return "the sides are not translations of each other";
    case Filter::Markup:
      return "tags and placeholders differ";
    case Filter::Numbers:
      return "numbers differ";
    case Filter::Sentences:
      return "the numbers of sentences differ by two or more";
    case Filter::Boilerplate:
      return "a side that comes with many different texts";
    case Filter::Duplicate:
      return "repeats an earlier pair";
    case Filter::NearDuplicate:
      return "nearly repeats an earlier pair";
    case Filter::Leak:
      return "is in the validation or test text, or nearly";
  }
  return {};
}

std::vector<std::string> FilterSet::names() const {
  std::vector<std::string> names;
  for (const auto& [filter, name] : option_names(Filter{})) {
    if (contains(filter)) names.emplace_back(name);
  }
  return names;
}

FilterSet filters_of(std::span<const std::string> names, const std::string& option) {
  FilterSet filters;
  for (const std::string& name : names) {
    const auto filter = enum_value<Filter>(name);
    if (!filter) refuse(name, option);
    filters.add(*filter);
  }
  return filters;
}

}  // namespace heed::curation
