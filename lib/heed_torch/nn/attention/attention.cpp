#include "heed_torch/nn/attention/attention.h"

#include <initializer_list>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "heed_torch/nn/fused/fused_attention.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::nn {
namespace {

void check_heads(const AttentionOptions& options) {
  TORCH_CHECK(options.d_model % heads_of(options.kind) == 0, "`heads` (", heads_of(options.kind),
              ") must divide `d_model` (", options.d_model, ")");
}

/// [S, length, n * d_model] -> [S, length, n, heads, d_head], a view.
Tensor split(const Tensor& x, int64_t n, const AttentionOptions& options) {
  return x.unflatten(-1, {n, heads_of(options.kind), options.d_head()});
}

/// Adapts those projections stacked in `linear` (may be null) that the options name; returns their number.
int64_t adapt(Linear& linear, const LoraOptions& options, std::initializer_list<std::string_view> names) {
  if (!linear) return 0;
  std::vector<int64_t> maps;
  int64_t map = 0;
  for (const std::string_view name : names) {
    if (options.adapts(name)) maps.push_back(map);
    ++map;
  }
  return linear->adapt(options, maps);
}

}  // namespace

SelfAttentionImpl::SelfAttentionImpl(const AttentionOptions& options)
    : query_norm(options.head_norm()), key_norm(options.head_norm()), options_(options) {
  check_heads(options);
  const int64_t d = options.d_model;
  if (options.projects()) {
    const LinearOptions stacked{.in = d, .out = 3 * d, .bias = options.bias(), .stacked = 3};
    query_key_value = register_module("query_key_value", Linear(stacked));
  }
  register_module("query_norm", query_norm);
  register_module("key_norm", key_norm);
  if (options.relative) relative = register_module("relative", RelativePositions(*options.relative, options.d_head()));
  if (options.combines())
    output = register_module("output",
                             Linear(LinearOptions{.in = d, .out = d, .bias = options.bias(), .ends_branch = true}));
}

// Returns [S, length, 3, heads, d_head]: queries, keys and values.
Tensor SelfAttentionImpl::project(const Tensor& x) {
  Tensor stacked =
      query_key_value ? split(query_key_value(x), 3, options_) : split(x, 1, options_).expand({-1, -1, 3, -1, -1});
  if (options_.query_key_norm) {
    const auto parts = stacked.unbind(2);
    stacked = at::stack({query_norm(parts[0]), key_norm(parts[1]), parts[2]}, 2);
  }
  return nn::dropout(stacked, options_.query_key_value_dropout, is_training());
}

SelfAttentionImpl::Heads SelfAttentionImpl::turned(const Tensor& stacked, const Rotation& rotation) {
  const auto parts = stacked.unbind(2);
  if (!rotation.defined()) return {.query = parts[0], .keys = parts[1], .values = parts[2]};
  return {.query = rotate(parts[0], rotation), .keys = rotate(parts[1], rotation), .values = parts[2]};
}

Attended SelfAttentionImpl::attend(const Tensor& query, const KeysValues& memory, const AttentionFrame& frame,
                                   bool want_weights) {
  Attended attended = scaled_dot_product(query.transpose(1, 2), memory, frame.mask,
                                         {.scaled = options_.scaled,
                                          .dropout = dropout(),
                                          .want_weights = want_weights,
                                          .relative = relative ? relative.get() : nullptr,
                                          .rows = frame.relative_rows});
  if (output) attended.context = output(attended.context);
  return attended;
}

Attended SelfAttentionImpl::forward(const Tensor& x, const AttentionFrame& frame, bool want_weights) {
  const StackedStates states{.queries = project(x), .memory = {}};
  if (!want_weights && !relative && suits_fused_attention(states)) {
    const Tensor context = fused_attention(
        states, frame.mask, {.scale = options_.score_scale(), .dropout = dropout(), .rotation = frame.rotation});
    return {.context = output ? output(context) : context, .weights = {}};
  }
  const Heads heads = turned(states.queries, frame.rotation);
  return attend(heads.query, {heads.keys.transpose(1, 2), heads.values.transpose(1, 2)}, frame, want_weights);
}

Attended SelfAttentionImpl::step(const Tensor& x, KeyValueCache& cache, const AttentionFrame& frame,
                                 bool want_weights) {
  const Heads heads = turned(project(x), frame.rotation);
  cache.append(heads.keys, heads.values);
  return attend(heads.query, cache.view(), frame, want_weights);
}

int64_t SelfAttentionImpl::add_lora(const LoraOptions& options) {
  return adapt(query_key_value, options, {"query", "key", "value"}) + adapt(output, options, {"output"});
}

CrossAttentionImpl::CrossAttentionImpl(const AttentionOptions& options)
    : query_norm(options.head_norm()), key_norm(options.head_norm()), options_(options) {
  TORCH_CHECK(!options.relative, "attention to a memory has no relative positions");
  check_heads(options);
  const int64_t d = options.d_model;
  if (options.projects()) {
    query = register_module("query", Linear(LinearOptions{.in = d, .out = d, .bias = options.bias()}));
    const int64_t d_memory = options.d_memory == 0 ? d : options.d_memory;
    const LinearOptions stacked{.in = d_memory, .out = 2 * d, .bias = options.bias(), .stacked = 2};
    key_value = register_module("key_value", Linear(stacked));
  }
  register_module("query_norm", query_norm);
  register_module("key_norm", key_norm);
  if (options.combines())
    output = register_module("output",
                             Linear(LinearOptions{.in = d, .out = d, .bias = options.bias(), .ends_branch = true}));
}

KeysValues CrossAttentionImpl::project(const Tensor& states) {
  Tensor stacked =
      key_value ? split(key_value(states), 2, options_) : split(states, 1, options_).expand({-1, -1, 2, -1, -1});
  if (options_.query_key_norm) {
    const auto both = stacked.unbind(2);
    stacked = at::stack({key_norm(both[0]), both[1]}, 2);
  }
  stacked = nn::dropout(stacked, options_.query_key_value_dropout, is_training());
  const auto parts = stacked.unbind(2);
  return {.keys = parts[0].transpose(1, 2), .values = parts[1].transpose(1, 2), .stacked = stacked};
}

Attended CrossAttentionImpl::forward(const Tensor& x, const KeysValues& memory, const AttentionMask& mask,
                                     bool want_weights) {
  const Tensor asked = query_norm(split(query ? query(x) : x, 1, options_));  // [S, query, 1, heads, d_head]
  const StackedStates states{.queries = nn::dropout(asked, options_.query_key_value_dropout, is_training()),
                             .memory = memory.stacked};
  const double dropout = is_training() ? options_.dropout : 0;
  Attended attended;
  if (!want_weights && memory.stacked.defined() && suits_fused_attention(states)) {
    const double scale = options_.score_scale();
    attended.context = fused_attention(states, mask, {.scale = scale, .dropout = dropout});
  } else {
    attended = scaled_dot_product(states.queries.select(2, 0).transpose(1, 2), memory, mask,
                                  {.scaled = options_.scaled, .dropout = dropout, .want_weights = want_weights});
  }
  if (output) attended.context = output(attended.context);
  return attended;
}

int64_t CrossAttentionImpl::add_lora(const LoraOptions& options) {
  return adapt(query, options, {"query"}) + adapt(key_value, options, {"key", "value"}) +
         adapt(output, options, {"output"});
}

}  // namespace heed::nn
