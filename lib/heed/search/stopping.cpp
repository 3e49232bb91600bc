#include "heed/search/stopping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

/// The score of the `n_best`-th best finished hypothesis; the lowest there is while there are fewer.
double score_to_beat(const RunningSentence& sentence, int64_t n_best) {
  if (std::ssize(sentence.finished) < n_best) return -std::numeric_limits<double>::infinity();
  std::vector<double> scores;
  for (const Hypothesis& hypothesis : sentence.finished) scores.push_back(hypothesis.score);
  const auto last = scores.begin() + static_cast<std::ptrdiff_t>(n_best - 1);
  std::ranges::nth_element(scores, last, std::greater{});
  return *last;
}

/// The length l at which a score turns from rising to falling, or back: where the derivative of
/// (r + reward * l) / l^alpha is 0. Not finite: nowhere.
struct TurningPoint {
  double ranked_by;  // r
  double reward;

  double operator()(const PowerPenalty& penalty) const {
    return penalty.alpha * ranked_by / (reward * (1 - penalty.alpha));
  }
  /// The same of m = 5 + l: r + reward * l = (r - 5 reward) + reward * m.
  double operator()(const GnmtPenalty& penalty) const {
    return penalty.alpha * (ranked_by - 5 * reward) / (reward * (1 - penalty.alpha)) - 5;
  }
  double operator()(const NoPenalty&) const { return std::numeric_limits<double>::infinity(); }
};

}  // namespace

double best_possible_score(double ranked_by, int64_t length, int64_t limit, const SearchOptions& options) {
  const auto shortest = static_cast<double>(length + 1), longest = static_cast<double>(limit + 1);  // end-of-sentence
  const double turn = std::visit(TurningPoint{ranked_by, options.word_reward}, options.length_penalty);
  double best = -std::numeric_limits<double>::infinity();
  for (const double tokens : {shortest, std::floor(turn), std::ceil(turn), longest}) {
    if (!(tokens >= shortest && tokens <= longest)) continue;
    best = std::max(best, normalized_score(ranked_by, static_cast<int64_t>(tokens), options));
  }
  return best;
}

bool group_is_done(const RunningSentence& sentence, int32_t group, std::span<const Candidate> candidates,
                   const SearchOptions& options) {
  const auto open = [&](const Candidate& candidate) {
    return candidate.group == group && candidate.token != text::kEos;
  };
  if (std::ranges::none_of(candidates, open)) return true;
  if (const auto* stop = std::get_if<StopAtCount>(&options.stop)) {
    return sentence.finished_of_group[static_cast<size_t>(group)] >= stop_count(*stop, group_size(options));
  }
  const double to_beat = score_to_beat(sentence, options.n_best);
  return std::ranges::none_of(candidates, [&](const Candidate& candidate) {
    return open(candidate) &&
           best_possible_score(candidate.ranked_by(), sentence.length() + 1, sentence.limit, options) > to_beat;
  });
}

}  // namespace heed::search
