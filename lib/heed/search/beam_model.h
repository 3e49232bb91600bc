// A model as beam search sees it: given the last token of every hypothesis, it names the best tokens that may follow.
// Sources, tokens and what is found are plain numbers; where the model computes is its own affair.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "heed/search/demands.h"
#include "heed/search/source_item.h"
#include "heed/search/token_lists.h"

namespace heed::search {

/// A sentence that waits for its translation.
struct SourceSentence {
  int64_t index = 0;                 ///< the caller's name of it
  std::span<const int32_t> ids;      ///< without end-of-sentence
  const SourceItem* item = nullptr;  ///< its vectors, if it has any
  const Demands* demands = nullptr;  ///< of its translation, if there are any
  uint64_t random_key = 0;           ///< of what is drawn for it: see core/random.h

  /// Positions that an encoder reads, end-of-sentence not counted.
  int64_t length() const { return std::ssize(ids) + (item ? item->positions : 0); }
  /// All of them: no end-of-sentence stands behind vectors alone.
  int64_t positions() const { return length() + (item && !item->has_text ? 0 : 1); }
};

/// Whether the hypotheses of a sentence may end with a step.
enum class End : uint8_t {
  Allowed,
  Barred,  ///< they are too short
  Forced,  ///< end-of-sentence is all that is left: they are as long as they may be
};

/// Takes the log-probabilities of all tokens behind one of S * beam hypotheses: [V], which it may change.
using TakeRow = std::function<void(size_t hypothesis, std::span<float> log_probabilities)>;

/// Padding and begin-of-sentence are never among the tokens that may follow.
struct StepRequest {
  std::span<const int32_t> tokens;     ///< [S * beam], the last of each hypothesis (bos at first)
  std::span<const End> ends;           ///< [S]
  std::span<const int64_t> live = {};  ///< [S]: how many hypotheses the sentence has, the first ones of its beam (one
                                       ///< at first). What may follow the others is never read. Empty: all of them
  int64_t count = 1;                   ///< how many tokens are wanted for each hypothesis
  bool unknown = false;                ///< whether the token for unknown words may follow
  const TokenLists* barred = nullptr;  ///< of each hypothesis: further tokens that may not follow
  const TokenLists* asked = nullptr;   ///< of each hypothesis: tokens whose log-probabilities are wanted as well,
                                       ///< whether they may follow or not; -inf of those that the model cannot give
  const TakeRow* rows = nullptr;       ///< called for each live hypothesis instead of all the above: nothing is barred,
                                       ///< and attention alone is found
};

/// What may follow each of R = S * beam hypotheses.
struct Continuations {
  std::vector<float> log_probabilities = {};  ///< [R, count], best first; -inf where fewer tokens may follow. They are
                                              ///< the model's, not renormalized over what is allowed
  std::vector<int32_t> tokens = {};           ///< [R, count]; of equal ones the first of the vocabulary comes first
  std::vector<uint8_t> ends_by_itself = {};  ///< [R], where the end is forced: whether it is the likeliest all the same
  std::vector<float> asked = {};             ///< of the tokens asked for, in their order
  std::vector<float> attention = {};         ///< [R, columns], if asked for at the start; else empty
  int64_t columns = 0;                       ///< the longest source, eos counted, or more
};

/// The error of a model whose scores are NaN, or whose probabilities do not add up to a number.
inline constexpr const char* kNotNumbers = "the model's scores are not numbers: were its parameters damaged?";

/// One running search over S sentences x beam hypotheses. Stateful: start, then steps, between which sentences are
/// selected and joined.
class BeamModel {
 public:
  virtual ~BeamModel() = default;
  virtual int64_t vocab_size() const = 0;
  /// The tokens of the longest translation it can make, end-of-sentence not counted.
  virtual int64_t max_length() const { return std::numeric_limits<int64_t>::max(); }

  /// Begins anew with these sources. attention: whether steps give it; ConfigError then of a model that has none.
  virtual void start(std::span<const SourceSentence> sources, int64_t beam, bool attention) = 0;
  /// Consumes one token of every hypothesis. Throws Error(kNotNumbers).
  virtual void step(const StepRequest& request, Continuations& found) = 0;
  /// Keeps these sentences; each beam continues its parent. sentences: [S']; parents: [S' * beam], beams of that
  /// sentence. Not called after a step that leaves every hypothesis in its place.
  virtual void select(std::span<const int64_t> sentences, std::span<const int32_t> parents) = 0;
  /// Admits waiting sentences behind the present ones.
  virtual void join(std::span<const SourceSentence> sources) = 0;
};

}  // namespace heed::search
