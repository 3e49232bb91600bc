#include "heed/search/stopping.h"

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

/// The score of the `n_best`-th best finished hypothesis; -inf while there are fewer.
double score_to_beat(const SentenceBeam& sentence, int64_t n_best) {
  if (std::ssize(sentence.finished) < n_best) return -std::numeric_limits<double>::infinity();
  std::vector<double> scores;
  for (const Hypothesis& hypothesis : sentence.finished) scores.push_back(hypothesis.score);
  const auto last = scores.begin() + static_cast<std::ptrdiff_t>(n_best - 1);
  std::ranges::nth_element(scores, last, std::greater{});
  return *last;
}

}  // namespace

// As a function of the length, a score has at most one turning point. The maximum is therefore at the turning point,
// which bisection finds, or at an end of the range.
double best_possible_score(double ranked_by, int64_t length, int64_t limit, const SearchOptions& options) {
  if (length > limit) return -std::numeric_limits<double>::infinity();
  const auto score = [&](int64_t tokens) {
    return normalized_score(ranked_by, tokens + 1, options);
  };  // end-of-sentence
  int64_t low = length, high = limit;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    score(middle) < score(middle + 1) ? low = middle + 1 : high = middle;
  }
  return std::max({score(length), score(low), score(limit)});
}

bool group_is_done(const SentenceBeam& sentence, int32_t group, std::span<const Candidate> candidates,
                   const SearchOptions& options) {
  const auto open = [&](const Candidate& candidate) {
    return candidate.group == group && candidate.token != text::kEos;
  };
  if (std::ranges::none_of(candidates, open)) return true;
  if (const auto* stop = std::get_if<StopAtCount>(&options.stop)) {
    return sentence.finished_of_group[static_cast<size_t>(group)] >= stop_count(*stop, group_size(options));
  }
  const double to_beat = score_to_beat(sentence, options.n_best);
  const int64_t length = sentence.generated() + 1, limit = sentence.limit - sentence.prompt_length;
  return std::ranges::none_of(candidates, [&](const Candidate& candidate) {
    return open(candidate) && best_possible_score(candidate.ranked_by(), length, limit, options) > to_beat;
  });
}

}  // namespace heed::search
