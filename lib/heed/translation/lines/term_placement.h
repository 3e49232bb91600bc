// A second search for a translation that lacks required phrases.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/search/hypothesis.h"
#include "heed/search/sentence_constraints.h"

namespace heed::translation {

/// The constraints of the searches for a translation that has all required phrases; the result with the best score
/// counts. The first search may place the phrases anywhere. Each further one begins with the text of `found` up to the
/// word that attends most to the source of a missing phrase. The phrase follows in place of that word (after Hasler et
/// al. 2018, https://arxiv.org/abs/1805.03750). At most kMostSearches.
/// constraints: what must be in the translation. found: the best translation without enforced phrases, with its tag.
/// Without its attention there is only the first search. max_length: the longest translation in tokens.
std::vector<search::SentenceConstraints> constraints_of_term_searches(const search::SentenceConstraints& constraints,
                                                                      const search::Hypothesis& found,
                                                                      int64_t max_length);

inline constexpr size_t kMostSearches = 9;

}  // namespace heed::translation
