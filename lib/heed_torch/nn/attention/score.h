// How well a decoder's state s (the query) fits a source position's state h (the key): the scores whose formulas
// heed/architecture/score_options.h has, as modules. A new one is a struct there and a class in score.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <torch/nn/module.h>

#include "heed/architecture/score_options.h"
#include "heed_torch/nn/initialization.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/step_linear.h"

namespace heed::nn {

/// What a score compares.
struct ScoreShape {
  int64_t d_query = 0;
  int64_t d_memory = 0;
  int64_t vocabulary = 0;  ///< source ids, for idf and tf-idf
  int64_t d_coverage = 0;  ///< width of coverage, for additive; 0: none
};

/// Scores of one pass over the target: what the steps share is made once.
class ScorePass {
 public:
  virtual ~ScorePass() = default;
  /// query: float [S, rows, d_query], rows: target positions or beams; coverage: float [S, rows, source, d_coverage],
  /// undefined without coverage -> float [S, rows, source].
  virtual Tensor operator()(const Tensor& query, const Tensor& coverage) const = 0;
};

class AttentionScore : public torch::nn::Module {
 public:
  /// What of the source every step of every hypothesis uses, made once a sentence.
  /// states: float [S, source, d_memory]; tokens: int64 [S, source] -> float [S, source, d_key].
  virtual Tensor keys(const Tensor& states, const Tensor& /*tokens*/) { return states; }
  /// keys: of keys().
  virtual std::unique_ptr<ScorePass> begin(const Tensor& keys) = 0;
  /// The longest source there are scores for, if there is a limit.
  virtual std::optional<int64_t> max_source() const { return std::nullopt; }
};

/// Throws c10::Error when the widths do not suit the score.
std::shared_ptr<AttentionScore> make_attention_score(const ScoreOptions& options, const ScoreShape& shape);

}  // namespace heed::nn
