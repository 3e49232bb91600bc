#include "heed_torch/nn/fused/fused_attention.h"

#include <limits>
#include <optional>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include "heed/kernels/attention_kernel.h"
#include "heed_torch/nn/random/random_scope.h"

namespace heed::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// All scores of a head are in memory; LibTorch's attention handles longer inputs.
constexpr int64_t kMaxKeys = 512;

// The inputs of the passes besides the states, as plain tensors.
struct Surroundings {
  Tensor bias = {};    // [S or 1, heads or 1, query or 1, padded keys]; undefined: no bias
  Tensor blind = {};   // bool [S]; undefined: no blind sentence
  Tensor cosine = {};  // [S or 1, length, d_head / 2]; undefined: no rotation
  Tensor sine = {};    // the same shape as cosine
  double scale = 1;
  std::optional<kernels::DropoutMask> dropout = std::nullopt;
};

// Component `i` of stacked states [S, length, parts, heads, d_head]. T: float or uint16_t; const for input.
template <class T>
kernels::HeadStates<T> part(const Tensor& stacked, int64_t i) {
  T* numbers;
  if constexpr (std::is_const_v<T>) {
    numbers = static_cast<T*>(stacked.const_data_ptr());
  } else {
    numbers = static_cast<T*>(stacked.mutable_data_ptr());
  }
  return {.numbers = numbers + i * stacked.stride(2),
          .sentence = stacked.stride(0),
          .position = stacked.stride(1),
          .head = stacked.stride(3)};
}

// The context or its gradient, [S, query, heads, d_head].
template <class T>
kernels::HeadStates<T> context_states(const Tensor& context) {
  return part<T>(context.unsqueeze(2), 0);
}

int64_t distance(const Tensor& x, int64_t dimension) { return x.size(dimension) == 1 ? 0 : x.stride(dimension); }

template <class T>
kernels::AttentionPass<T> make_pass(const Tensor& queries, const Tensor& memory, const Surroundings& around,
                                    const Tensor& weights) {
  const Tensor& both = memory.defined() ? memory : queries;
  kernels::AttentionPass<T> pass{.sentences = queries.size(0),
                                 .heads = queries.size(3),
                                 .queries = queries.size(1),
                                 .keys = both.size(1),
                                 .d_head = queries.size(4),
                                 .scale = static_cast<float>(around.scale),
                                 .query = part<const T>(queries, 0),
                                 .key = part<const T>(both, both.size(2) - 2),
                                 .value = part<const T>(both, both.size(2) - 1),
                                 .dropout = around.dropout,
                                 .weights = weights.mutable_data_ptr<float>()};
  if (around.bias.defined()) {
    pass.bias = {.numbers = around.bias.const_data_ptr<float>(),
                 .sentence = distance(around.bias, 0),
                 .head = distance(around.bias, 1),
                 .query = distance(around.bias, 2)};
  }
  if (around.blind.defined()) pass.blind = around.blind.const_data_ptr<bool>();
  if (around.cosine.defined()) {
    pass.rotation = {.cosine = around.cosine.const_data_ptr<float>(),
                     .sine = around.sine.const_data_ptr<float>(),
                     .sentence = distance(around.cosine, 0)};
  }
  return pass;
}

template <class T, class Work>
void for_heads(const kernels::AttentionPass<T>& pass, const Work& work) {
  const int64_t products = pass.queries * pass.keys * pass.d_head;
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 16) / std::max<int64_t>(products, 1));
  at::parallel_for(0, pass.sentences * pass.heads, grain, work);
}

// T: the type of the states, float or uint16_t.
template <class T>
struct FusedAttention : torch::autograd::Function<FusedAttention<T>> {
  static Tensor forward(AutogradContext* context, const Tensor& queries, const std::optional<Tensor>& memory,
                        const Surroundings& around) {
    const Tensor keys_values = memory.value_or(Tensor());
    const int64_t padded = kernels::padded_to_lanes((memory ? *memory : queries).size(1));
    const Tensor weights =
        at::empty({queries.size(0), queries.size(3), queries.size(1), padded}, queries.options().dtype(at::kFloat));
    Tensor result = at::empty({queries.size(0), queries.size(1), queries.size(3), queries.size(4)}, queries.options());
    const auto pass = make_pass<T>(queries, keys_values, around, weights);
    TORCH_CHECK(!pass.dropout || pass.dropout_elements() <= kernels::DropoutMask::kMaxCount,
                "dropout takes at most 2^33 weights, not ", pass.dropout_elements());
    const auto states = context_states<T>(result);
    for_heads(pass, [&](int64_t begin, int64_t end) { kernels::attend(pass, states, begin, end); });
    context->save_for_backward({queries, keys_values, weights, around.cosine, around.sine});
    context->saved_data["scale"] = around.scale;
    if (around.dropout) {
      context->saved_data["key"] = static_cast<int64_t>(around.dropout->key);
      context->saved_data["threshold"] = static_cast<int64_t>(around.dropout->threshold);
    }
    return result.flatten(2);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "fused_attention has no second derivative");
    const auto saved = context->get_saved_variables();
    const Tensor &queries = saved[0], &memory = saved[1];
    Surroundings around{.cosine = saved[3], .sine = saved[4], .scale = context->saved_data.at("scale").toDouble()};
    if (context->saved_data.count("key") > 0) {
      around.dropout = {.key = static_cast<uint64_t>(context->saved_data.at("key").toInt()),
                        .threshold = static_cast<uint32_t>(context->saved_data.at("threshold").toInt())};
    }
    const auto pass = make_pass<T>(queries, memory, around, saved[2]);
    const Tensor from = gradients[0].contiguous().view({pass.sentences, pass.queries, pass.heads, pass.d_head});
    const Tensor of_queries = at::empty(queries.sizes(), queries.options());
    const Tensor of_memory = memory.defined() ? at::empty(memory.sizes(), memory.options()) : Tensor();
    const Tensor& both = memory.defined() ? of_memory : of_queries;
    const kernels::AttentionGradients<T> work{.context = context_states<const T>(from),
                                              .query = part<T>(of_queries, 0),
                                              .key = part<T>(both, both.size(2) - 2),
                                              .value = part<T>(both, both.size(2) - 1)};
    for_heads(pass, [&](int64_t begin, int64_t end) { kernels::attend_backward(pass, work, begin, end); });
    return {of_queries, of_memory, Tensor()};
  }
};

void check_sizes(const StackedStates& states) {
  const auto queries = states.queries.sizes();
  TORCH_CHECK(queries[2] == (states.memory.defined() ? 1 : 3), "`queries` must be stacked by ",
              states.memory.defined() ? 1 : 3, ", found ", queries);
  if (!states.memory.defined()) return;
  const auto memory = states.memory.sizes();
  TORCH_CHECK(memory[0] == queries[0] && memory[2] == 2 && memory[3] == queries[3] && memory[4] == queries[4],
              "`memory` must be [", queries[0], ", key, 2, ", queries[3], ", ", queries[4], "], found ", memory);
}

// [S or 1, length, d_head / 2]
Tensor rotation_table(const Tensor& of_positions, const Tensor& queries) {
  const auto sizes = of_positions.sizes();
  TORCH_CHECK(sizes.size() == 4 && (sizes[0] == 1 || sizes[0] == queries.size(0)) && sizes[1] == queries.size(1) &&
                  sizes[2] == 1 && 2 * sizes[3] == queries.size(4),
              "a rotation must be [", queries.size(0), " or 1, ", queries.size(1), ", 1, ", queries.size(4) / 2,
              "], found ", sizes);
  return of_positions.squeeze(2).contiguous();
}

void check_bias(const Tensor& bias, const Tensor& queries, int64_t keys) {
  const auto suits = [&](int64_t dimension, int64_t size) {
    return bias.size(dimension) == 1 || bias.size(dimension) == size;
  };
  TORCH_CHECK(bias.dim() == 4 && suits(0, queries.size(0)) && suits(1, queries.size(3)) && suits(2, queries.size(1)) &&
                  bias.size(3) == keys,
              "a mask's bias must be [", queries.size(0), " or 1, ", queries.size(3), " or 1, ", queries.size(1),
              " or 1, ", keys, "], found ", bias.sizes());
}

// The mask's bias, padded with -infinity to whole vectors.
Tensor padded_bias(const AttentionMask& mask, const Tensor& like, int64_t keys) {
  TORCH_CHECK(mask.bias.defined() == mask.allowed.defined(), "a mask has both `allowed` and `bias` or none");
  if (mask.bias.defined()) check_bias(mask.bias, like, keys);
  const int64_t behind = kernels::padded_to_lanes(keys) - keys;
  const auto options = like.options().dtype(at::kFloat);
  const Tensor bias = mask.bias.defined() || behind == 0 ? mask.bias : at::zeros({1, 1, 1, keys}, options);
  if (!bias.defined()) return bias;
  return at::constant_pad_nd(bias, {0, behind}, -std::numeric_limits<double>::infinity()).contiguous();
}

bool lies_in_heads(const Tensor& stacked) {
  const bool has_kernel = stacked.scalar_type() == at::kFloat || stacked.scalar_type() == at::kBFloat16;
  return stacked.is_cpu() && has_kernel && stacked.dim() == 5 && stacked.stride(4) == 1 &&
         stacked.size(4) % kernels::kLanes == 0 && stacked.size(1) <= kMaxKeys && stacked.numel() > 0;
}

}  // namespace

bool suits_fused_attention(const StackedStates& states) {
  if (!lies_in_heads(states.queries)) return false;
  return !states.memory.defined() ||
         (lies_in_heads(states.memory) && states.memory.scalar_type() == states.queries.scalar_type());
}

Tensor fused_attention(const StackedStates& states, const AttentionMask& mask, const FusedAttentionDetails& details) {
  TORCH_CHECK(suits_fused_attention(states), "fused attention does not take such states");
  check_sizes(states);
  const Tensor& both = states.memory.defined() ? states.memory : states.queries;
  Surroundings around{.bias = padded_bias(mask, states.queries, both.size(1)), .scale = details.scale};
  if (mask.blind.defined()) {
    around.blind = mask.blind.reshape({-1}).contiguous();
    TORCH_CHECK(around.blind.size(0) == states.queries.size(0), "`blind` must be [", states.queries.size(0),
                ", 1, 1, 1], found ", mask.blind.sizes());
  }
  if (details.rotation.defined()) {
    TORCH_CHECK(!states.memory.defined(), "attention to a memory has no rotary positions");
    around.cosine = rotation_table(details.rotation.cosine, states.queries);
    around.sine = rotation_table(details.rotation.sine, states.queries);
  }
  if (details.dropout > 0) around.dropout = kernels::DropoutMask::with_probability(next_draw_key(), details.dropout);
  const auto memory = states.memory.defined() ? std::optional(states.memory) : std::nullopt;
  return states.queries.scalar_type() == at::kFloat ? FusedAttention<float>::apply(states.queries, memory, around)
                                                    : FusedAttention<uint16_t>::apply(states.queries, memory, around);
}

}  // namespace heed::nn
