#include "heed_torch/nn/attention/memory_attention.h"

#include <utility>

#include <ATen/ATen.h>

namespace heed::nn {
namespace {

int64_t half_width_of(const WindowOptions& window) {
  if (const auto* monotonic = std::get_if<MonotonicWindow>(&window)) return monotonic->half_width;
  const auto* predicted = std::get_if<PredictedWindow>(&window);
  return predicted ? predicted->half_width : 0;
}

}  // namespace

MemoryAttentionImpl::MemoryAttentionImpl(const MemoryAttentionOptions& options, ScoreShape shape) : options_(options) {
  shape.d_coverage = width_of(options.coverage);
  const int64_t d_query = shape.d_query;
  score = register_module("score", make_attention_score(options.score, shape));
  if (shape.d_coverage > 0) {
    coverage = register_module("coverage", Coverage(options.coverage, d_query, shape.d_memory));
  }
  if (std::holds_alternative<HardAttention>(options.function)) {
    baseline = register_module("baseline", Linear(LinearOptions{.in = d_query, .out = 1}));
  }
  if (!std::holds_alternative<PredictedWindow>(options.window)) return;
  predict_hidden =
      register_module("predict_hidden", Linear(LinearOptions{.in = d_query, .out = d_query, .bias = false}));
  predict_middle = register_module("predict_middle", Linear(LinearOptions{.in = d_query, .out = 1, .bias = false}));
}

AttendedMemory MemoryAttentionImpl::attend_to(const Tensor& states, const Tensor& tokens, const Tensor& real) {
  return {.states = states, .keys = score->keys(states, tokens), .real = real};
}

Tensor MemoryAttentionImpl::no_coverage(const Tensor& states, int64_t rows) const {
  if (!remembers()) return {};
  return at::zeros({states.size(0), rows, states.size(1), width_of(options_.coverage)}, states.options());
}

MemoryAttentionPass::MemoryAttentionPass(MemoryAttentionImpl& attention, AttendedMemory memory)
    : attention_(attention),
      memory_(std::move(memory)),
      real_(memory_.real.unsqueeze(1)),
      lengths_(
          real_.sum(-1, /*keepdim=*/true).to(memory_.states.scalar_type() == at::kDouble ? at::kDouble : at::kFloat)),
      score_(attention.score->begin(memory_.keys)),
      contexts_(memory_.states) {
  if (attention.predict_hidden) predict_.emplace(attention.predict_hidden);
  if (attention.coverage) coverage_.emplace(*attention.coverage, memory_.states);
}

Tensor MemoryAttentionPass::middle(const Tensor& query, const Tensor& position) const {
  const WindowOptions& window = attention_.options().window;
  if (std::holds_alternative<GlobalWindow>(window)) return {};
  if (std::holds_alternative<MonotonicWindow>(window)) {
    return at::minimum(position.unsqueeze(-1).to(lengths_.scalar_type()), (lengths_ - 1).clamp_min(0));
  }
  return lengths_ * attention_.predict_middle((*predict_)(query).tanh()).sigmoid();
}

AttentionResult MemoryAttentionPass::operator()(const Tensor& query, const Tensor& position, Tensor& coverage) const {
  const AttentionResult made = attended_to(query, position, (*score_)(query, coverage));
  if (coverage_) coverage = coverage_->after(coverage, made.weights, query);
  return made;
}

AttentionResult MemoryAttentionPass::attended_to(const Tensor& query, const Tensor& position,
                                                 const Tensor& scores) const {
  const MemoryAttentionOptions& options = attention_.options();
  const Tensor p = middle(query, position);
  Tensor allowed = real_, squared_distance;
  const auto half_width = static_cast<double>(half_width_of(options.window));
  if (p.defined()) {
    squared_distance = (at::arange(scores.size(-1), p.options()) - p).square();
    allowed = allowed.bitwise_and(squared_distance.le(half_width * half_width));
  }
  const AttendedPositions chosen = attend_by(options.function, scores, allowed, attention_.is_training());
  Tensor weights = chosen.weights;
  if (std::holds_alternative<PredictedWindow>(options.window)) {
    const double deviation = half_width / 2;
    weights = weights * (squared_distance * (-1 / (2 * deviation * deviation))).exp();
  }
  AttentionResult made{.context = contexts_(weights), .weights = weights, .samples = {}};
  if (!chosen.log_probability.defined()) return made;
  made.samples = {.log_probability = chosen.log_probability,
                  .entropy = chosen.entropy,
                  .baseline = attention_.baseline(query.detach()).squeeze(-1),
                  .options = std::get<HardAttention>(options.function)};
  return made;
}

AttentionResult side_by_side(const std::vector<AttentionResult>& positions) {
  const auto joined = [&](const auto& member) {
    std::vector<Tensor> parts;
    for (const AttentionResult& attended : positions) parts.push_back(member(attended));
    return parts.front().defined() ? at::cat(parts, 1) : Tensor();
  };
  return {.context = joined([](const AttentionResult& a) { return a.context; }),
          .weights = joined([](const AttentionResult& a) { return a.weights; }),
          .samples = {.log_probability = joined([](const AttentionResult& a) { return a.samples.log_probability; }),
                      .entropy = joined([](const AttentionResult& a) { return a.samples.entropy; }),
                      .baseline = joined([](const AttentionResult& a) { return a.samples.baseline; }),
                      .options = positions.front().samples.options}};
}

}  // namespace heed::nn
