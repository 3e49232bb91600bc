// Coverage (Tu et al. 2016, https://arxiv.org/abs/1601.04811): past attention is an input of the additive score, e_j =
// v . tanh(W s + U h_j + V C_j). So the decoder skips fewer words and translates fewer words twice.
//   linguistic  C_j = sum over the previous positions of weights_j / F_j,   F_j = N sigmoid(u . h_j): the number of
//               target words for the source word j, at most N (section 3.1.1)
//   neural      C_j' = tanh(V_c C_j + V_a weights_j + V_h h_j + V_s s), of a configurable width (section 3.1.2)
#pragma once

#include <cstdint>
#include <optional>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/coverage_options.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/step_linear.h"

namespace heed::nn {

class CoverageImpl;

/// Coverage in one pass over the target.
class CoveragePass {
 public:
  /// states: float [S, source, d_memory].
  CoveragePass(CoverageImpl& coverage, const Tensor& states);

  /// Coverage after a position. before: coverage after the previous positions, zeros at first, float [S, rows, source,
  /// width]; weights: float [S, rows, source], of this position; query: float [S, rows, d_query], their query.
  Tensor after(const Tensor& before, const Tensor& weights, const Tensor& query) const;

 private:
  Tensor of_source_;  // linguistic: 1 / F, float [S, 1, source, 1]; neural: V_h h, float [S, 1, source, width]
  std::optional<StepLinear> step_, query_;
};

class CoverageImpl : public torch::nn::Module {
 public:
  /// options: any except NoCoverage.
  CoverageImpl(const CoverageOptions& options, int64_t d_query, int64_t d_memory);
  const CoverageOptions& options() const { return options_; }

  Linear source{nullptr};  ///< u, or V_h
  Linear step{nullptr};    ///< neural: [V_c V_a]
  Linear query{nullptr};   ///< neural: V_s

 private:
  CoverageOptions options_;
};
TORCH_MODULE(Coverage);

}  // namespace heed::nn
