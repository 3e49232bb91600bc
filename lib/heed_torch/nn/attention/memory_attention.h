// Attention of a recurrent decoder to the encoder output. It has three components: a score for each source position
// (heed_torch/nn/attention/score.h), an optional window of positions, and an attention function that turns scores into
// weights (heed_torch/nn/attention/attention_function.h):
//   weights = function(scores within the window),    context = sum_j weights_j h_j.
// The windows are those of Luong et al. 2015 (https://arxiv.org/abs/1508.04025, section 3.2), for target position t, a
// source of S real tokens and the half-width D:
//   global    every position
//   local-m   [t - D, t + D]; the source's end replaces t if t is after it
//   local-p   [p - D, p + D] with p = S sigmoid(v . tanh(W s)); weights are then multiplied by
//             exp(-(j - p)^2 / (2 (D/2)^2))
// The additive score can also use past attention (heed_torch/nn/attention/coverage.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/memory_attention_options.h"
#include "heed_torch/nn/attention/attention_function.h"
#include "heed_torch/nn/attention/coverage.h"
#include "heed_torch/nn/attention/score.h"
#include "heed_torch/nn/losses/reinforce_loss.h"
#include "heed_torch/nn/products/memory_product.h"

namespace heed::nn {

/// The encoder output as attention reads it: computed once per sentence, for S sentences.
struct AttendedMemory {
  Tensor states;  ///< float [S, source, d_memory]
  Tensor keys;    ///< float [S, source, d_key], see AttentionScore
  Tensor real;    ///< bool [S, source], true = a real token
};

/// The result for each target position.
struct AttentionResult {
  Tensor context;            ///< float [S, rows, d_memory]
  Tensor weights;            ///< float [S, rows, source]; 0 at padding; without a real token all are 0
  SampledPositions samples;  ///< samples of hard attention in training, float [S, rows]
};
/// Concatenates the results of several positions along `rows`.
AttentionResult side_by_side(const std::vector<AttentionResult>& positions);

class MemoryAttentionImpl;

/// Attention in one pass over the target.
class MemoryAttentionPass {
 public:
  MemoryAttentionPass(MemoryAttentionImpl& attention, AttendedMemory memory);

  /// query: float [S, rows, d_query]; position: int64 [S or 1, rows or 1], the rows' target positions from 0. coverage:
  /// from no_coverage or the call for the previous position; updated with this position's weights.
  AttentionResult operator()(const Tensor& query, const Tensor& position, Tensor& coverage) const;

 private:
  /// Weights and context from the scores within the window.
  AttentionResult attended_to(const Tensor& query, const Tensor& position, const Tensor& scores) const;
  /// The center of the window, float [S or 1, rows or 1, 1]; undefined for global.
  Tensor middle(const Tensor& query, const Tensor& position) const;

  MemoryAttentionImpl& attention_;
  AttendedMemory memory_;
  Tensor real_;     // bool [S, 1, source]
  Tensor lengths_;  // float [S, 1, 1]: number of real tokens
  std::unique_ptr<ScorePass> score_;
  MemoryProduct contexts_;  // multiplies weights with the states
  std::optional<StepLinear> predict_;
  std::optional<CoveragePass> coverage_;
};

class MemoryAttentionImpl : public torch::nn::Module {
 public:
  /// shape: d_coverage is ignored.
  MemoryAttentionImpl(const MemoryAttentionOptions& options, ScoreShape shape);

  /// states: float [S, source, d_memory]; tokens: int64 [S, source]; real: bool [S, source].
  AttendedMemory attend_to(const Tensor& states, const Tensor& tokens, const Tensor& real);
  MemoryAttentionPass begin(const AttendedMemory& memory) { return {*this, memory}; }
  /// Coverage before the first position: zeros [S, rows, source, width]; undefined without coverage.
  Tensor no_coverage(const Tensor& states, int64_t rows) const;
  /// Whether a position's weights depend on those of previous positions.
  bool remembers() const { return !coverage.is_empty(); }
  const MemoryAttentionOptions& options() const { return options_; }

  std::shared_ptr<AttentionScore> score;
  Linear predict_hidden{nullptr};  ///< W of local-p
  Linear predict_middle{nullptr};  ///< v of local-p
  Linear baseline{nullptr};        ///< beta of hard attention, see reinforce_loss.h
  Coverage coverage{nullptr};

 private:
  MemoryAttentionOptions options_;
};
TORCH_MODULE(MemoryAttention);

}  // namespace heed::nn
