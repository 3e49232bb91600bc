// How well a decoder's state fits a source position: the scores of heed/architecture/score_options.h, on rows of
// floats.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heed/architecture/score_options.h"
#include "heed/engine/common/matrix.h"
#include "heed/engine/common/sources.h"

namespace heed::engine {

/// What a score compares, and where its parameters are.
struct ScoreSource {
  const Weights& weights;
  Precision precision;
  std::string name;  ///< of its parameters
  int64_t d_query;
  int64_t d_memory;
  int64_t vocabulary;  ///< source ids
  int64_t d_coverage;  ///< 0: none
};

/// Source positions whose scores are asked for.
struct ScoredPositions {
  const float* keys;
  const int64_t* places;  ///< position first + j has its key at keys + places[j]
  int64_t first;
  int64_t count;
  const float* covered = nullptr;  ///< V C of those positions, `distance` floats apart; null: no coverage
  int64_t distance = 0;
};

class SourceScore {
 public:
  /// The memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision) {}
    Operand operand;
    Rows asked;
  };
  virtual ~SourceScore() = default;
  /// Numbers that are kept of each source position; 0: its state is the key, or there is none.
  virtual int64_t d_key() const { return 0; }
  /// states: [tokens of all sources, d_memory] -> keys: [tokens, d_key]. Not called where d_key is 0.
  virtual void make_keys(const Sources&, const Rows& /*states*/, Scratch&, Rows& /*keys*/) const {}
  /// What score() reads of the states of all hypotheses, [rows, d_query].
  virtual const Rows* ask(const Rows& queries, Scratch&) const { return &queries; }
  /// asked: a row of ask(). scores: room for `count`, rounded up to 4.
  virtual void score(const float* asked, const ScoredPositions& positions, float* scores) const = 0;
  /// V C of coverage rows; additive only.
  virtual const Matrix* coverage() const { return nullptr; }
};

/// Whether there is one for these options.
bool has_source_score(const nn::ScoreOptions& options);
std::unique_ptr<SourceScore> make_source_score(const nn::ScoreOptions& options, const ScoreSource& source);

}  // namespace heed::engine
