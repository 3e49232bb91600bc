// The interface between beam search and a model: from the last token of every hypothesis, the model finds the best next
// tokens. Sources, tokens and results are plain numbers, so the search does not depend on where the model computes.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "heed/search/sentence_constraints.h"
#include "heed/search/source_item.h"
#include "heed/search/token_lists.h"

namespace heed::search {

/// A source sentence, to be translated.
struct SourceSentence {
  int64_t index = 0;                                 ///< the caller's number for it
  std::span<const int32_t> ids;                      ///< without end-of-sentence
  const SourceItem* item = nullptr;                  ///< its vectors; null: none
  const SentenceConstraints* constraints = nullptr;  ///< constraints on its translation; null: none
  uint64_t random_key = 0;                           ///< of its random numbers: see core/random.h
  uint64_t first_sample = 0;                         ///< the number of its first sample

  /// The number of encoder positions, without end-of-sentence.
  int64_t length() const { return std::ssize(ids) + (item ? item->positions : 0); }
  /// The number of encoder positions. A source that has only vectors gets no end-of-sentence.
  int64_t positions() const { return length() + (item && !item->has_text ? 0 : 1); }
};

/// Whether the hypotheses of a sentence may end at a step.
enum class End : uint8_t {
  Allowed,
  Barred,  ///< they are shorter than the minimum length
  Forced,  ///< they are at the length limit: only end-of-sentence can follow
};

/// Receives the log-probabilities [V] of the next token of one of the S * beam hypotheses. It may change them.
using LogProbabilityCallback = std::function<void(size_t hypothesis, std::span<float> log_probabilities)>;

/// What the search asks of the model at a step. Padding and begin-of-sentence never follow.
struct StepRequest {
  std::span<const int32_t> tokens;     ///< [S * beam], the last token of each hypothesis (bos at first)
  std::span<const End> ends;           ///< [S]
  std::span<const int64_t> live = {};  ///< [S], the number of live hypotheses of each sentence: the first ones of its
                                       ///< beam, and one at first. The results of the other hypotheses are never read.
                                       ///< Empty: all are live
  int64_t count = 1;                   ///< next tokens wanted for each hypothesis
  bool unknown = false;                ///< whether the token for unknown words may follow
  const TokenLists* barred = nullptr;  ///< per hypothesis: further tokens that must not follow
  const TokenLists* asked = nullptr;   ///< per hypothesis: tokens whose log-probabilities are wanted too, even if they
                                       ///< must not follow; -inf for tokens that the model cannot produce
  const LogProbabilityCallback* rows = nullptr;  ///< called for each live hypothesis instead of all of the above: no
                                                 ///< token is excluded, and `Continuations` gets only the attention
};

/// The best next tokens of each of R = S * beam hypotheses.
struct Continuations {
  std::vector<float> log_probabilities = {};  ///< [R, count], best first; -inf if fewer tokens may follow. They are the
                                              ///< model's own: not renormalized over the allowed tokens
  std::vector<int32_t> tokens = {};           ///< [R, count]; ties: the lower token id first
  std::vector<uint8_t> ends_by_itself = {};   ///< [R], if the end is forced: whether end-of-sentence is the most
                                              ///< probable token too
  std::vector<float> asked = {};              ///< log-probabilities of the tokens in StepRequest::asked, in that order
  std::vector<float> attention = {};          ///< [R, columns], if requested at the start; else empty
  int64_t columns = 0;                        ///< length of the longest source including eos, or more
};

/// The error if a model's scores are NaN, or its probabilities do not sum to a number.
inline constexpr const char* kNotNumbers = "the model's scores are not numbers: were its parameters damaged?";

/// A running search over S sentences x beam hypotheses. It has state: call start() first, then step(). Between steps,
/// select() and join() change the batch.
class BeamModel {
 public:
  virtual ~BeamModel() = default;
  virtual int64_t vocab_size() const = 0;
  /// The most tokens of a translation that the model supports, without end-of-sentence.
  virtual int64_t max_length() const { return std::numeric_limits<int64_t>::max(); }

  /// Starts a new search with these sources. attention: whether steps return attention. Throws ConfigError if the model
  /// has none.
  virtual void start(std::span<const SourceSentence> sources, int64_t beam, bool attention) = 0;
  /// Reads one token of every hypothesis. Throws Error(kNotNumbers).
  virtual void step(const StepRequest& request, Continuations& found) = 0;
  /// Keeps these sentences and reorders their beams: each beam continues the hypothesis that `parents` names.
  /// sentences: [S']; parents: [S' * beam], as beam numbers within the sentence. Not called if a step leaves every
  /// hypothesis in place.
  virtual void select(std::span<const int64_t> sentences, std::span<const int32_t> parents) = 0;
  /// Adds sentences to the batch, after the present ones.
  virtual void join(std::span<const SourceSentence> sources) = 0;
};

}  // namespace heed::search
