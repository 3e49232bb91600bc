// Attention scores: how well a decoder state matches a source position. These are the scores of
// heed/architecture/score_options.h, on rows of floats.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heed/architecture/score_options.h"
#include "heed/engine/common/matrix.h"
#include "heed/engine/common/sources.h"

namespace heed::engine {

/// What a score is built from.
struct ScoreSource {
  const Weights& weights;
  Precision precision;
  std::string name;  ///< prefix of its parameters
  int64_t d_query;   ///< width of the decoder's state
};

/// The source positions to score.
struct ScoredPositions {
  const float* keys;
  const int64_t* places;  ///< the key of position first + j is at keys + places[j]
  int64_t first;
  int64_t count;
  const float* covered = nullptr;  ///< V C of these positions, `distance` floats apart; null: no coverage
  int64_t distance = 0;
};

class SourceScore {
 public:
  /// The working memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision) {}
    Operand operand;
    Rows asked;
  };
  virtual ~SourceScore() = default;
  /// Floats stored per source position. 0: the state is the key, or there is no key.
  virtual int64_t d_key() const { return 0; }
  /// Computes the keys. states: [tokens of all sources, d_memory] -> keys: [tokens, d_key]. Not called if d_key is 0.
  virtual void make_keys(const Sources&, const Rows& /*states*/, Scratch&, Rows& /*keys*/) const {}
  /// Projects the decoder states of all hypotheses, [rows, d_query], for score().
  virtual const Rows* ask(const Rows& queries, Scratch&) const { return &queries; }
  /// asked: a row of ask(). scores: room for `count`, rounded up to a multiple of 4.
  virtual void score(const float* asked, const ScoredPositions& positions, float* scores) const = 0;
  /// V, which projects coverage; additive score only.
  virtual const Matrix* coverage() const { return nullptr; }
};

/// Whether the engine supports the score of these options.
bool has_source_score(const nn::ScoreOptions& options);
std::unique_ptr<SourceScore> make_source_score(const nn::ScoreOptions& options, const ScoreSource& source);

}  // namespace heed::engine
