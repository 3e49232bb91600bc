#include "heed/nn/memory_attention.h"

#include <utility>

#include <torch/torch.h>

#include "heed/nn/masks.h"

namespace heed::nn {
namespace {

Tensor masked_softmax(const Tensor& scores, const Tensor& allowed) {
  const Tensor bounded = scores.masked_fill(allowed.bitwise_not(), AttentionMask::kForbidden);
  return at::softmax(bounded, -1).masked_fill(allowed.bitwise_not(), 0);
}

int64_t half_width_of(const WindowOptions& window) {
  if (const auto* monotonic = std::get_if<MonotonicWindow>(&window)) return monotonic->half_width;
  const auto* predicted = std::get_if<PredictedWindow>(&window);
  return predicted ? predicted->half_width : 0;
}

}  // namespace

Tensor sparsemax(const Tensor& scores, const Tensor& allowed) {
  const Tensor forbidden = allowed.bitwise_not();
  const Tensor bounded = scores.masked_fill(forbidden, AttentionMask::kForbidden);
  const Tensor z = std::get<0>(bounded.sort(-1, /*descending=*/true));
  const Tensor ranks = at::arange(1, z.size(-1) + 1, z.options());
  const Tensor sums = z.cumsum(-1);
  const Tensor support = (1 + ranks * z).gt(sums).sum(-1, /*keepdim=*/true);  // how many are above the threshold
  const Tensor threshold = (sums.gather(-1, support - 1) - 1) / support;
  return (bounded - threshold).clamp_min(0).masked_fill(forbidden, 0);
}

MemoryAttentionImpl::MemoryAttentionImpl(const MemoryAttentionOptions& options, int64_t d_query, int64_t d_memory)
    : score(register_module("score", make_attention_score(options.score, d_query, d_memory))), options_(options) {
  if (!std::holds_alternative<PredictedWindow>(options.window)) return;
  predict_hidden =
      register_module("predict_hidden", Linear(LinearOptions{.in = d_query, .out = d_query, .bias = false}));
  predict_middle = register_module("predict_middle", Linear(LinearOptions{.in = d_query, .out = 1, .bias = false}));
}

AttendedMemory MemoryAttentionImpl::attend_to(const Tensor& states, const Tensor& real) {
  return {.states = states, .keys = score->keys(states), .real = real};
}

MemoryAttentionPass::MemoryAttentionPass(MemoryAttentionImpl& attention, AttendedMemory memory)
    : attention_(attention),
      memory_(std::move(memory)),
      real_(memory_.real.unsqueeze(1)),
      lengths_(real_.sum(-1, /*keepdim=*/true).to(memory_.states.scalar_type())),
      score_(attention.score->begin(memory_.keys)) {
  if (attention.predict_hidden) predict_.emplace(attention.predict_hidden);
}

Tensor MemoryAttentionPass::middle(const Tensor& query, const Tensor& position) const {
  const WindowOptions& window = attention_.options().window;
  if (std::holds_alternative<GlobalWindow>(window)) return {};
  if (std::holds_alternative<MonotonicWindow>(window)) {
    return at::minimum(position.unsqueeze(-1).to(lengths_.scalar_type()), (lengths_ - 1).clamp_min(0));
  }
  return lengths_ * attention_.predict_middle((*predict_)(query).tanh()).sigmoid();
}

Looked MemoryAttentionPass::operator()(const Tensor& query, const Tensor& position) const {
  const Tensor scores = (*score_)(query);  // [S, rows, source]
  const Tensor p = middle(query, position);
  Tensor allowed = real_, squared_distance;
  const auto half_width = static_cast<double>(half_width_of(attention_.options().window));
  if (p.defined()) {
    squared_distance = (at::arange(scores.size(-1), p.options()) - p).square();
    allowed = allowed.bitwise_and(squared_distance.le(half_width * half_width));
  }
  const bool soft = std::holds_alternative<SoftChoice>(attention_.options().choice);
  Tensor weights = soft ? masked_softmax(scores, allowed) : sparsemax(scores, allowed);
  if (std::holds_alternative<PredictedWindow>(attention_.options().window)) {
    const double deviation = half_width / 2;
    weights = weights * (squared_distance * (-1 / (2 * deviation * deviation))).exp();
  }
  return {.context = at::bmm(weights, memory_.states), .weights = weights};
}

}  // namespace heed::nn
