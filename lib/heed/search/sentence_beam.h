// The search state of one source sentence. Live hypotheses are stored as links back through the steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "heed/search/hypothesis.h"
#include "heed/search/search_options.h"
#include "heed/search/sentence_constraints.h"

namespace heed::search {

/// What the search keeps of a hypothesis in addition to its tokens and score.
struct ReturnOptions {
  bool token_scores = false;  ///< the log-probability of each token
  bool attention = false;     ///< the attention of each token over the source
  bool places = false;        ///< the attention during the search only: it guides where required phrases are placed
};

/// A possible continuation of a hypothesis.
struct Candidate {
  double log_probability = 0;       ///< of the hypothesis, this token included
  float token_log_probability = 0;  ///< of this token
  int32_t parent = 0;               ///< the beam that it continues
  int32_t token = 0;
  double penalty = 0;  ///< the sum of penalties of the hypothesis, this token included; the search adds it to
                       ///< log_probability
  int32_t group = 0;   ///< of the hypothesis, this token included

  double ranked_by() const { return log_probability + penalty; }
};

/// The group of the empty hypothesis, which all groups continue.
inline constexpr int32_t kEveryGroup = -1;

/// A hypothesis that is not finished.
struct LiveHypothesis {
  double log_probability = 0;
  double penalty = 0;  ///< see Candidate
  int32_t group = 0;

  double ranked_by() const { return log_probability + penalty; }
};

struct SentenceBeam {
  SentenceBeam(int64_t name, int64_t source_tokens, const SearchOptions& options,
               const SentenceConstraints* constraints = nullptr);

  int64_t length() const { return static_cast<int64_t>(history.size()) / beam; }  ///< tokens of each live hypothesis
  bool in_prompt() const { return length() < prompt_length; }
  int64_t generated() const { return std::max<int64_t>(0, length() - prompt_length); }  ///< the same without the prompt
  bool at_limit() const { return length() >= limit; }

  int64_t index;             ///< the caller's number for the sentence
  int64_t source_length;     ///< without end-of-sentence
  int64_t source_positions;  ///< positions of the attention: with end-of-sentence, unless the source has only vectors
  const SentenceConstraints* constraints;  ///< constraints; may be null
  uint64_t random_key = 0;                 ///< of its random numbers
  uint64_t first_sample = 0;               ///< the number of its first sample
  int64_t beam;
  int64_t prompt_length;                      ///< leading tokens of each hypothesis that are the prompt
  int64_t limit;                              ///< the length at which end-of-sentence is forced
  std::vector<LiveHypothesis> live;           ///< at most `beam`, sorted by group; one empty hypothesis at the start
  std::vector<Candidate> history;             ///< [length, beam]: the token that each beam took at each step
  std::vector<std::vector<float>> attention;  ///< per step: [beam, source positions], if kept
  std::vector<bool> ends_by_itself;           ///< at the limit, per beam: end-of-sentence is the most probable token
  std::vector<Hypothesis> finished;
  std::vector<int64_t> finished_of_group;  ///< the number of finished hypotheses of each group
};

/// The tokens of a live hypothesis.
std::vector<int32_t> tokens_of(const SentenceBeam& sentence, size_t beam);

/// The attention of each step of a live hypothesis over the source positions, including the present step.
std::vector<std::span<const float>> attention_of(const SentenceBeam& sentence, size_t beam);

/// The hypothesis that ends with `last`, an end-of-sentence candidate of the present step, without its prompt.
Hypothesis trace(const SentenceBeam& sentence, const Candidate& last, const SearchOptions& options, ReturnOptions keep);
/// The finished form of a live hypothesis that no token may follow. Its last tokens are removed if the text must not
/// end with them. Its length penalty counts end-of-sentence; its log-probability does not.
Hypothesis ended_by_rules(const SentenceBeam& sentence, size_t beam, const SearchOptions& options, ReturnOptions keep);

/// Makes the first candidates of each group the live hypotheses, up to the group size. Skips end-of-sentence.
void extend(SentenceBeam& sentence, std::span<const Candidate> candidates, const SearchOptions& options);

}  // namespace heed::search
