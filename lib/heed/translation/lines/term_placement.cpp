#include "heed/translation/lines/term_placement.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "heed/search/phrases.h"
#include "heed/text/word_boundary.h"

namespace heed::translation {
namespace {

/// The first token of each word of a hypothesis. A token without text belongs to the word before it.
std::vector<size_t> word_begins(const text::Ids& ids, const text::TokenTexts& texts) {
  std::vector<size_t> begins;
  text::WordClass before = text::WordClass::Space;
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto first = texts.first_class(ids[i]);
    if (i == 0 || (first && text::is_word_boundary(before, *first))) begins.push_back(i);
    before = texts.last_class(ids[i]).value_or(before);
  }
  return begins;
}

/// The first token of the word with the largest share of attention on the source. Absent: nothing is known about it.
std::optional<size_t> word_for(const search::SourceSpan& source, const search::Hypothesis& found,
                               const std::vector<size_t>& begins) {
  if (source.begin == source.end || begins.empty() || found.attention.size() < found.ids.size()) return std::nullopt;
  if (source.end > found.attention.front().size()) return std::nullopt;  // the source was truncated
  size_t best = 0;
  float most = -1;
  for (size_t i = 0; i < found.ids.size(); ++i) {
    const auto row = found.attention[i].begin();
    const float share = std::accumulate(row + static_cast<std::ptrdiff_t>(source.begin),
                                        row + static_cast<std::ptrdiff_t>(source.end), 0.0F);
    if (share > most) {
      most = share;
      best = i;
    }
  }
  return *std::prev(std::ranges::upper_bound(begins, best));
}

/// The constraints with a longer prefix: the first tokens of `found` and then a form of a phrase. Absent: the form does
/// not meet the phrase there, or the translation would be too long.
std::optional<search::SentenceConstraints> with_phrase_at(const search::SentenceConstraints& constraints, size_t phrase,
                                                          const text::Ids& form, const text::Ids& found, size_t begin,
                                                          int64_t max_length) {
  search::SentenceConstraints placed = constraints;
  placed.prefix.assign(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(begin));
  placed.prefix.insert(placed.prefix.end(), form.begin(), form.end());
  if (search::phrase_progress(constraints, placed.prefix).met_length(phrase) == 0) return std::nullopt;
  if (placed.tokens() > max_length) return std::nullopt;
  return placed;
}

}  // namespace

std::vector<search::SentenceConstraints> constraints_of_term_searches(const search::SentenceConstraints& constraints,
                                                                      const search::Hypothesis& found,
                                                                      int64_t max_length) {
  std::vector<search::SentenceConstraints> searches{constraints};
  int64_t& scored = searches.front().scored_length;
  scored = std::ssize(found.ids) + 1;
  for (const search::RequiredPhrase& phrase : constraints.required) scored += static_cast<int64_t>(phrase.longest());
  if (!constraints.token_texts) return searches;
  const std::vector<size_t> begins = word_begins(found.ids, *constraints.token_texts);
  const search::PhraseProgress progress = search::phrase_progress(constraints, found.ids);
  for (size_t phrase = 0; phrase < constraints.required.size(); ++phrase) {
    if (progress.met_length(phrase) > 0) continue;
    const auto begin = word_for(constraints.required[phrase].source, found, begins);
    if (!begin || *begin < constraints.prefix.size()) continue;
    for (const text::Ids& form : constraints.required[phrase].forms) {
      if (searches.size() == kMostSearches) return searches;
      auto placed = with_phrase_at(searches.front(), phrase, form, found.ids, *begin, max_length);
      if (placed) searches.push_back(std::move(*placed));
    }
  }
  return searches;
}

}  // namespace heed::translation
