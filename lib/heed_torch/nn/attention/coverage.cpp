#include "heed_torch/nn/attention/coverage.h"

#include <ATen/ATen.h>

namespace heed::nn {

CoverageImpl::CoverageImpl(const CoverageOptions& options, int64_t d_query, int64_t d_memory) : options_(options) {
  const int64_t width = width_of(options);
  TORCH_CHECK(width > 0, "no coverage has no module");
  const bool neural = std::holds_alternative<NeuralCoverage>(options);
  source = register_module("source", Linear(LinearOptions{.in = d_memory, .out = width, .bias = neural}));
  if (!neural) return;
  step = register_module("step", Linear(LinearOptions{.in = width + 1, .out = width, .bias = false}));
  query = register_module("query", Linear(LinearOptions{.in = d_query, .out = width, .bias = false}));
}

CoveragePass::CoveragePass(CoverageImpl& coverage, const Tensor& states)
    : of_source_(coverage.source(states).unsqueeze(1)) {
  if (const auto* linguistic = std::get_if<LinguisticCoverage>(&coverage.options())) {
    of_source_ = 1 / (linguistic->max_fertility * of_source_.sigmoid());
    return;
  }
  step_.emplace(coverage.step);
  query_.emplace(coverage.query);
}

Tensor CoveragePass::after(const Tensor& before, const Tensor& weights, const Tensor& query) const {
  if (!step_) return before + weights.unsqueeze(-1) * of_source_;
  const Tensor looked = (*step_)(at::cat({before, weights.unsqueeze(-1)}, -1));  // [S, rows, source, width]
  return (looked + of_source_ + (*query_)(query).unsqueeze(2)).tanh();
}

}  // namespace heed::nn
