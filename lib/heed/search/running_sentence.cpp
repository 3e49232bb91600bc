#include "heed/search/running_sentence.h"

#include <algorithm>

#include "heed/text/tokenizer.h"

namespace heed::search {

RunningSentence::RunningSentence(int64_t name, int64_t source_tokens, const SearchOptions& options)
    : index(name),
      source_length(source_tokens),
      beam(options.beam),
      limit(std::max(max_length(options, source_tokens), options.min_length)),
      log_probabilities{0.0},
      ends_by_itself(static_cast<size_t>(options.beam), false) {}

Hypothesis trace(const RunningSentence& sentence, const Candidate& last, const LengthPenalty& penalty, Keep keep) {
  const auto length = static_cast<size_t>(sentence.length());
  const auto beam = static_cast<size_t>(sentence.beam);
  Hypothesis hypothesis;
  hypothesis.log_probability = last.log_probability;
  hypothesis.score = normalized_score(last.log_probability, sentence.length() + 1, penalty);
  hypothesis.complete = !sentence.at_limit() || sentence.ends_by_itself.at(static_cast<size_t>(last.parent));
  hypothesis.ids.resize(length);
  if (keep.token_scores) hypothesis.token_log_probabilities.resize(length + 1);
  if (keep.attention) hypothesis.attention.resize(length + 1);

  const Candidate* link = &last;
  for (size_t step = length + 1; step-- > 0;) {
    const auto parent = static_cast<size_t>(link->parent);
    if (step < length) hypothesis.ids[step] = link->token;
    if (keep.token_scores) hypothesis.token_log_probabilities[step] = link->token_log_probability;
    if (keep.attention) {
      const auto& weights = sentence.attention[step];
      const auto columns = static_cast<std::ptrdiff_t>(weights.size() / beam);
      const auto row = weights.begin() + link->parent * columns;
      hypothesis.attention[step].assign(row, row + columns);
    }
    if (step > 0) link = &sentence.history[(step - 1) * beam + parent];
  }
  return hypothesis;
}

void extend(RunningSentence& sentence, const std::vector<Candidate>& candidates) {
  // A beam without hypothesis is fed some token, but its result is never looked at.
  constexpr Candidate kDead{.token = text::kEos};
  const size_t end = sentence.history.size() + static_cast<size_t>(sentence.beam);
  sentence.log_probabilities.clear();
  for (const Candidate& candidate : candidates) {
    if (candidate.token == text::kEos || sentence.history.size() == end) continue;
    sentence.log_probabilities.push_back(candidate.log_probability);
    sentence.history.push_back(candidate);
  }
  sentence.history.resize(end, kDead);
}

}  // namespace heed::search
