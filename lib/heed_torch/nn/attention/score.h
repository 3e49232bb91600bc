// Attention scores as modules: how well a decoder's state s (the query) fits a source position's state h (the key).
// heed/architecture/score_options.h has the formulas. To add a score, add a struct there and a class in score.cpp.
#pragma once

#include <memory>

#include <torch/nn/module.h>

#include "heed/architecture/score_options.h"
#include "heed_torch/nn/initialization.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/step_linear.h"

namespace heed::nn {

/// Scores in one pass over the target. What all steps share is computed once.
class ScorePass {
 public:
  virtual ~ScorePass() = default;
  /// query: float [S, rows, d_query], rows are target positions or beams; coverage: float [S, rows, source,
  /// d_coverage], undefined without coverage -> float [S, rows, source].
  virtual Tensor operator()(const Tensor& query, const Tensor& coverage) const = 0;
};

class AttentionScore : public torch::nn::Module {
 public:
  /// Computes what all steps of all hypotheses need from the source, once per sentence. states: float [S, source,
  /// d_memory]; tokens: int64 [S, source] -> float [S, source, d_key].
  virtual Tensor keys(const Tensor& states, const Tensor& /*tokens*/) { return states; }
  /// keys: the result of keys().
  virtual std::unique_ptr<ScorePass> begin(const Tensor& keys) = 0;
};

/// Throws c10::Error if the widths do not suit the score.
std::shared_ptr<AttentionScore> make_attention_score(const ScoreOptions& options, const ScoreShape& shape);

}  // namespace heed::nn
