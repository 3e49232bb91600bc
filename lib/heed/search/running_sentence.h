// The search's state of one source sentence: its live hypotheses, as links back through the steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/search/demands.h"
#include "heed/search/hypothesis.h"
#include "heed/search/search_options.h"

namespace heed::search {

/// What is kept of a hypothesis beside its tokens and score.
struct Keep {
  bool token_scores = false;  ///< the log-probability of each token
  bool attention = false;     ///< the attention over the source of each token
  bool places = false;        ///< the attention while the search runs: required phrases find their place by it
};

/// One way a hypothesis may go on.
struct Candidate {
  double log_probability = 0;       ///< of the hypothesis with this token
  float token_log_probability = 0;  ///< of this token
  int32_t parent = 0;               ///< the beam it continues
  int32_t token = 0;
  double penalty = 0;  ///< of the hypothesis with this token: what search adds to its log-probability
  int32_t group = 0;   ///< of the hypothesis with this token

  double ranked_by() const { return log_probability + penalty; }
};

/// The group of the empty hypothesis, which each group continues.
inline constexpr int32_t kEveryGroup = -1;

/// A hypothesis that may go on.
struct LiveHypothesis {
  double log_probability = 0;
  double penalty = 0;  ///< see Candidate
  int32_t group = 0;

  double ranked_by() const { return log_probability + penalty; }
};

struct RunningSentence {
  RunningSentence(int64_t name, int64_t source_tokens, const SearchOptions& options, const Demands* demands = nullptr);

  int64_t length() const { return static_cast<int64_t>(history.size()) / beam; }  ///< tokens of every live hypothesis
  bool at_limit() const { return length() >= limit; }

  int64_t index;             ///< the caller's name of the sentence
  int64_t source_length;     ///< without end-of-sentence
  int64_t source_positions;  ///< that attention sees: with end-of-sentence, but of vectors alone
  const Demands* demands;    ///< perhaps null
  uint64_t random_key = 0;   ///< of what is drawn for it
  int64_t beam;
  int64_t limit;                              ///< the length at which end-of-sentence is forced
  std::vector<LiveHypothesis> live;           ///< at most `beam`, by group; one (empty) at the start
  std::vector<Candidate> history;             ///< [length, beam]: what each beam took at each step
  std::vector<std::vector<float>> attention;  ///< per step [beam, source positions], if kept
  std::vector<bool> ends_by_itself;           ///< at the limit, per beam: end-of-sentence is its likeliest continuation
  std::vector<Hypothesis> finished;
  std::vector<int64_t> finished_of_group;  ///< how many of them each group has
};

/// The tokens of a live hypothesis.
std::vector<int32_t> tokens_of(const RunningSentence& sentence, size_t beam);

/// The attention of each step of a live hypothesis over the source's positions, the present one included.
std::vector<std::span<const float>> attention_of(const RunningSentence& sentence, size_t beam);

/// The hypothesis that ends with `last`, an end-of-sentence candidate of the present step.
Hypothesis trace(const RunningSentence& sentence, const Candidate& last, const SearchOptions& options, Keep keep);
/// A live hypothesis that no token may follow, without the last tokens if the text must not end with them. Its length
/// penalty counts end-of-sentence, its log-probability does not.
Hypothesis ended_by_rules(const RunningSentence& sentence, size_t beam, const SearchOptions& options, Keep keep);

/// Makes the first candidates of each group that are not end-of-sentence its live hypotheses, as many as it has room
/// for.
void extend(RunningSentence& sentence, std::span<const Candidate> candidates, const SearchOptions& options);

}  // namespace heed::search
