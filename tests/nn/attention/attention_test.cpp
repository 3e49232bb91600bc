#include "heed_torch/nn/attention/attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include <torch/torch.h>

#include "heed_torch/nn/random/random_scope.h"

namespace heed::nn {
namespace {

double difference(const Tensor& found, const Tensor& expected) {
  TORCH_CHECK(found.sizes() == expected.sizes(), "found ", found.sizes(), ", expected ", expected.sizes());
  return (found - expected).abs().max().item<double>();
}

void fill(torch::nn::Module& module, uint64_t seed) {
  torch::manual_seed(seed);
  const at::NoGradGuard no_grad;
  for (auto& parameter : module.parameters()) parameter.normal_(0, 0.5);
}

/// Masks of every form for queries of length 4 over keys of length 4, for 3 sentences.
std::vector<AttentionMask> masks() {
  const Tensor real = at::tensor({1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0}, at::kInt).view({3, 4}).to(at::kBool);
  return {AttentionMask{}, AttentionMask::of_keys(real, at::kFloat), AttentionMask::causal(4, at::zeros({1}))};
}

TEST(ScaledDotProduct, EqualsValuesComputedByHand) {
  // Scores q.k / sqrt(2) = (1, 0) / sqrt(2); weights e^0.70711 / (e^0.70711 + 1) = 0.66976 and 0.33024.
  const Tensor query = at::tensor({1.F, 0.F}).view({1, 1, 1, 2});
  const Tensor keys = at::tensor({1.F, 0.F, 0.F, 1.F}).view({1, 1, 2, 2});
  const Tensor values = at::tensor({10.F, 0.F, 0.F, 20.F}).view({1, 1, 2, 2});
  const Attended attended = scaled_dot_product(query, {keys, values}, {}, {.want_weights = true});
  EXPECT_LT(difference(attended.weights.flatten(), at::tensor({0.66976F, 0.33024F})), 1e-5);
  EXPECT_LT(difference(attended.context.flatten(), at::tensor({6.6976F, 6.6048F})), 1e-4);
}

TEST(ScaledDotProduct, ScoresMayStayUnscaled) {
  // Scores 1 and 0; weights e / (e + 1) = 0.73106 and 0.26894.
  const Tensor query = at::tensor({1.F, 0.F}).view({1, 1, 1, 2});
  const Tensor keys = at::tensor({1.F, 0.F, 0.F, 1.F}).view({1, 1, 2, 2});
  const Tensor values = at::tensor({10.F, 0.F, 0.F, 20.F}).view({1, 1, 2, 2});
  for (const bool want_weights : {false, true}) {
    const Attended attended =
        scaled_dot_product(query, {keys, values}, {}, {.scaled = false, .want_weights = want_weights});
    EXPECT_LT(difference(attended.context.flatten(), at::tensor({7.3106F, 5.3788F})), 1e-4);
  }
}

TEST(ScaledDotProduct, FusedAndExplicitFormsAgreeInValuesAndGradients) {
  for (const AttentionMask& mask : masks()) {
    torch::manual_seed(1);
    std::vector<Tensor> inputs;
    for (int i = 0; i < 3; ++i) inputs.push_back(at::randn({3, 2, 4, 8}).requires_grad_());
    const auto run = [&](bool want_weights) {
      const Attended attended =
          scaled_dot_product(inputs[0], {inputs[1], inputs[2]}, mask, {.want_weights = want_weights});
      auto all = torch::autograd::grad({attended.context.square().sum()}, inputs);
      all.push_back(attended.context);
      return all;
    };
    const auto fused = run(false);
    const auto spelled_out = run(true);
    for (size_t i = 0; i < fused.size(); ++i) EXPECT_LT(difference(fused[i], spelled_out[i]), 1e-5);
  }
}

TEST(ScaledDotProduct, AQueryWithoutAnyKeyGetsZerosAndSendsNoGradient) {
  const Tensor real = at::tensor({1, 1, 0, 0}, at::kInt).view({2, 2}).to(at::kBool);
  const AttentionMask mask = AttentionMask::of_keys(real, at::kFloat);
  for (const bool want_weights : {false, true}) {
    torch::manual_seed(1);
    std::vector<Tensor> inputs;
    for (int i = 0; i < 3; ++i) inputs.push_back(at::randn({2, 1, 2, 4}).requires_grad_());
    const Attended attended =
        scaled_dot_product(inputs[0], {inputs[1], inputs[2]}, mask, {.want_weights = want_weights});
    EXPECT_TRUE(at::equal(attended.context[1], at::zeros({2, 4})));
    EXPECT_GT(attended.context[0].abs().sum().item<double>(), 0);
    if (want_weights) {
      EXPECT_TRUE(at::equal(attended.weights[1], at::zeros({1, 2, 2})));
    }
    for (const Tensor& gradient : torch::autograd::grad({attended.context.sum()}, inputs)) {
      EXPECT_TRUE(at::equal(gradient[1], at::zeros({1, 2, 4})));
      EXPECT_TRUE(gradient.isfinite().all().item<bool>());
    }
  }
}

TEST(ScaledDotProduct, DropoutDrawsFromTheOpenScope) {
  const Tensor x = at::ones({1, 1, 64, 4});
  const auto run = [&](uint64_t part) {
    const RandomScope scope(1, 2, part);
    return scaled_dot_product(x, {x, x}, {}, {.dropout = 0.5}).context;
  };
  EXPECT_TRUE(at::equal(run(0), run(0)));
  EXPECT_FALSE(at::equal(run(0), run(1)));
  EXPECT_NEAR(run(0).mean().item<double>(), 1, 0.05);
}

/// softmax(norm(q) norm(k)^T / sqrt(d_head)) v for one sentence by separate operations; each argument [length, d].
Tensor normalized_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Norm& of_queries,
                            const Norm& of_keys, int64_t heads) {
  const auto split = [heads](const Tensor& x) { return x.unflatten(1, {heads, -1}).transpose(0, 1); };
  const auto normed = [](const Tensor& x, const Norm& norm) {
    const Tensor mean = norm->bias.defined() ? x.mean(-1, true) : torch::zeros({1});
    const Tensor centered = x - mean;
    const Tensor y = centered / (centered.square().mean(-1, true) + 1e-6).sqrt() * norm->weight;
    return norm->bias.defined() ? y + norm->bias : y;
  };
  const Tensor queries = normed(split(q), of_queries), keys = normed(split(k), of_keys);
  const Tensor scores = queries.matmul(keys.transpose(1, 2)) / std::sqrt(static_cast<double>(queries.size(2)));
  return scores.softmax(-1).matmul(split(v)).transpose(0, 1).flatten(1);
}

TEST(SelfAttention, NormalizesQueriesAndKeysOfEachHead) {
  for (const NormKind kind : {NormKind::Layer, NormKind::Rms}) {
    SelfAttention attention(AttentionOptions{.d_model = 32, .kind = MultiHead{.heads = 2}, .query_key_norm = kind});
    fill(*attention, 1);
    const at::NoGradGuard no_grad;
    const Tensor x = at::randn({1, 5, 32});
    const auto parts = attention->query_key_value(x)[0].chunk(3, 1);
    const Tensor expected = attention->output(
        normalized_attention(parts[0], parts[1], parts[2], attention->query_norm, attention->key_norm, 2));
    for (const bool want_weights : {false, true}) {
      EXPECT_LT(difference(attention(x, AttentionFrame{}, want_weights).context[0], expected), 1e-5);
    }
    KeyValueCache cache(1);
    for (int64_t t = 0; t < 5; ++t) {
      const Tensor step = attention->step(x.narrow(1, t, 1), cache, AttentionFrame{}).context;
      const auto past = attention->query_key_value(x.narrow(1, 0, t + 1))[0].chunk(3, 1);
      const Tensor of_past = attention->output(normalized_attention(past[0].narrow(0, t, 1), past[1], past[2],
                                                                    attention->query_norm, attention->key_norm, 2));
      EXPECT_LT(difference(step[0], of_past), 1e-5) << t;
    }
  }
}

TEST(SelfAttention, WithNormsLongerQueriesChangeNothing) {
  SelfAttention attention(
      AttentionOptions{.d_model = 32, .kind = MultiHead{.heads = 2, .bias = false}, .query_key_norm = NormKind::Rms});
  fill(*attention, 1);
  const at::NoGradGuard no_grad;
  const Tensor x = at::randn({2, 5, 32});
  const Tensor before = attention(x, AttentionFrame{}).context;
  attention->query_key_value->weight.narrow(0, 0, 64).mul_(100);
  EXPECT_LT(difference(attention(x, AttentionFrame{}).context, before), 1e-4);
}

TEST(CrossAttention, NormalizesQueriesAndKeysOfEachHead) {
  CrossAttention attention(AttentionOptions{
      .d_model = 32, .kind = MultiHead{.heads = 2}, .query_key_norm = NormKind::Layer, .d_memory = 12});
  fill(*attention, 1);
  const at::NoGradGuard no_grad;
  const Tensor x = at::randn({1, 4, 32}), states = at::randn({1, 6, 12});
  const auto parts = attention->key_value(states)[0].chunk(2, 1);
  const Tensor expected = attention->output(
      normalized_attention(attention->query(x)[0], parts[0], parts[1], attention->query_norm, attention->key_norm, 2));
  for (const bool want_weights : {false, true}) {
    EXPECT_LT(difference(attention(x, attention->project(states), AttentionMask{}, want_weights).context[0], expected),
              1e-5);
  }
}

TEST(SelfAttention, EqualsTorchsMultiheadAttention) {
  const int64_t d = 16;
  SelfAttention ours(AttentionOptions{.d_model = d, .kind = MultiHead{.heads = 4}});
  torch::nn::MultiheadAttention theirs(d, 4);
  fill(*ours, 1);
  {
    const at::NoGradGuard no_grad;
    theirs->in_proj_weight.copy_(ours->query_key_value->weight);
    theirs->in_proj_bias.copy_(ours->query_key_value->bias);
    theirs->out_proj->weight.copy_(ours->output->weight);
    theirs->out_proj->bias.copy_(ours->output->bias);
  }
  const Tensor x = at::randn({3, 4, d});
  const Tensor real = at::tensor({1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0}, at::kInt).view({3, 4}).to(at::kBool);
  const Attended found = ours(x, AttentionFrame{.mask = AttentionMask::of_keys(real, at::kFloat)}, true);
  const Tensor by_time = x.transpose(0, 1);
  const auto [context, weights] = theirs(by_time, by_time, by_time, real.logical_not());
  EXPECT_LT(difference(found.context, context.transpose(0, 1)), 1e-5);
  EXPECT_LT(difference(found.weights.mean(1), weights), 1e-5);
}

// Wide enough for the fused form, which gives no weights; asking for them takes separate operations.
TEST(SelfAttention, GivesTheSameWithWeightsAndWithout) {
  SelfAttention attention(AttentionOptions{.d_model = 32, .kind = MultiHead{.heads = 2}});
  fill(*attention, 1);
  const Tensor real = at::tensor({1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0}, at::kInt).view({3, 4}).to(at::kBool);
  for (const AttentionMask& mask :
       {AttentionMask::of_keys(real, at::kFloat), AttentionMask::causal(4, at::zeros({1}))}) {
    const AttentionFrame frame{.mask = mask, .rotation = rotation_at(at::arange(4).unsqueeze(0), 16, 1e4, at::kFloat)};
    std::vector<std::vector<Tensor>> found;
    for (const bool want_weights : {false, true}) {
      const Tensor x = at::randn({3, 4, 32}, at::detail::createCPUGenerator(5)).requires_grad_();
      const Attended attended = attention(x, frame, want_weights);
      EXPECT_EQ(attended.weights.defined(), want_weights);
      std::vector<Tensor> inputs = attention->parameters();
      inputs.push_back(x);
      found.push_back(torch::autograd::grad({attended.context.square().sum()}, inputs));
      found.back().push_back(attended.context.detach());
    }
    for (size_t i = 0; i < found[0].size(); ++i) {
      EXPECT_LT(difference(found[0][i], found[1][i]), 1e-4 * (1 + found[1][i].abs().max().item<double>())) << i;
    }
  }
}

TEST(CrossAttention, GivesTheSameWithWeightsAndWithout) {
  CrossAttention attention(AttentionOptions{.d_model = 32, .kind = MultiHead{.heads = 2}, .d_memory = 24});
  fill(*attention, 1);
  const Tensor real = at::tensor({1, 1, 1, 1, 1, 1, 1, 0, 0, 0}, at::kInt).view({2, 5}).to(at::kBool);
  const AttentionMask mask = AttentionMask::of_keys(real, at::kFloat);
  std::vector<std::vector<Tensor>> found;
  for (const bool want_weights : {false, true}) {
    const Tensor x = at::randn({2, 3, 32}, at::detail::createCPUGenerator(5)).requires_grad_();
    const Tensor states = at::randn({2, 5, 24}, at::detail::createCPUGenerator(6)).requires_grad_();
    const Attended attended = attention(x, attention->project(states), mask, want_weights);
    std::vector<Tensor> inputs = attention->parameters();
    inputs.insert(inputs.end(), {x, states});
    found.push_back(torch::autograd::grad({attended.context.square().sum()}, inputs));
    found.back().push_back(attended.context.detach());
  }
  for (size_t i = 0; i < found[0].size(); ++i) {
    EXPECT_LT(difference(found[0][i], found[1][i]), 1e-4 * (1 + found[1][i].abs().max().item<double>())) << i;
  }
}

TEST(CrossAttention, EqualsTorchsMultiheadAttention) {
  const int64_t d = 16;
  CrossAttention ours(AttentionOptions{.d_model = d, .kind = MultiHead{.heads = 2}});
  torch::nn::MultiheadAttention theirs(d, 2);
  fill(*ours, 1);
  {
    const at::NoGradGuard no_grad;
    theirs->in_proj_weight.copy_(at::cat({ours->query->weight, ours->key_value->weight}));
    theirs->in_proj_bias.copy_(at::cat({ours->query->bias, ours->key_value->bias}));
    theirs->out_proj->weight.copy_(ours->output->weight);
    theirs->out_proj->bias.copy_(ours->output->bias);
  }
  const Tensor x = at::randn({2, 3, d});
  const Tensor memory = at::randn({2, 5, d});
  const Attended found = ours(x, ours->project(memory), AttentionMask{});
  const auto keys = memory.transpose(0, 1);
  EXPECT_LT(difference(found.context, std::get<0>(theirs(x.transpose(0, 1), keys, keys)).transpose(0, 1)), 1e-5);
}

TEST(SelfAttention, ParameterFreeIsTheFormulaOnTheInputs) {
  SelfAttention attention(AttentionOptions{.d_model = 4, .kind = ParameterFree{}});
  EXPECT_TRUE(attention->parameters().empty());
  const Tensor x = at::randn({2, 3, 4});
  const Tensor expected = at::matmul(at::softmax(at::matmul(x, x.transpose(1, 2)) / 2, -1), x);
  EXPECT_LT(difference(attention(x, AttentionFrame{}).context, expected), 1e-5);
}

TEST(SelfAttention, SingleHeadHasQueryKeyAndValueOnly) {
  SelfAttention attention(AttentionOptions{.d_model = 4, .kind = SingleHead{.bias = false}});
  ASSERT_EQ(attention->parameters().size(), 1U);
  fill(*attention, 2);
  const Tensor x = at::randn({2, 3, 4});
  const auto maps = attention->query_key_value->weight.chunk(3);
  const Tensor query = x.matmul(maps[0].t()), keys = x.matmul(maps[1].t()), values = x.matmul(maps[2].t());
  const Tensor expected = at::matmul(at::softmax(query.matmul(keys.transpose(1, 2)) / 2, -1), values);
  EXPECT_LT(difference(attention(x, AttentionFrame{}).context, expected), 1e-5);
}

TEST(SelfAttention, RelativePositionsAreTheEquationsOfShaw) {
  const int64_t d = 6, length = 5, limit = 2;
  SelfAttention attention(
      AttentionOptions{.d_model = d, .kind = SingleHead{}, .relative = RelativePositionOptions{.max_distance = limit}});
  fill(*attention, 3);
  const Tensor x = at::randn({1, length, d});
  const Attended found = attention(x, AttentionFrame{.relative_rows = relative_rows(length, length, limit, x)});
  const auto parts = attention->query_key_value(x)[0].chunk(3, -1);
  for (int64_t i = 0; i < length; ++i) {
    std::vector<Tensor> scores, values;
    for (int64_t j = 0; j < length; ++j) {
      const int64_t row = std::clamp<int64_t>(j - i, -limit, limit) + limit;
      scores.push_back(parts[0][i].dot(parts[1][j] + attention->relative->keys[row]) / std::sqrt(double(d)));
      values.push_back(parts[2][j] + attention->relative->values[row]);
    }
    const Tensor expected = at::matmul(at::softmax(at::stack(scores), 0), at::stack(values));
    EXPECT_LT(difference(found.context[0][i], expected), 1e-5);
  }
}

TEST(Rotary, ProductsDependOnDistanceOnly) {
  torch::manual_seed(1);
  const Tensor query = at::randn({1, 1, 1, 8}), key = at::randn({1, 1, 1, 8});
  const auto product = [&](int64_t i, int64_t j) {
    const auto at_place = [&](const Tensor& x, int64_t t) {
      return rotate(x, rotation_at(at::full({1, 1}, t, at::kLong), 8, 10000, at::kFloat));
    };
    return (at_place(query, i) * at_place(key, j)).sum().item<double>();
  };
  EXPECT_NEAR(product(3, 5), product(103, 105), 1e-4);
  EXPECT_NEAR(product(4, 4), (query * key).sum().item<double>(), 1e-5);
  EXPECT_GT(std::abs(product(3, 5) - product(3, 6)), 1e-3);
}

TEST(Rotary, TurnsEachPairByItsAngle) {
  // Components (0, 2) turn by 1 radian a position, (1, 3) by 100^(-1/2) = 0.1.
  const Tensor x = at::tensor({1.F, 1.F, 0.F, 0.F}).view({1, 1, 1, 4});
  const Tensor turned = rotate(x, rotation_at(at::full({1, 1}, 2, at::kLong), 4, 100, at::kFloat)).flatten();
  const Tensor expected = at::tensor({std::cos(2.0), std::cos(0.2), std::sin(2.0), std::sin(0.2)}).to(at::kFloat);
  EXPECT_LT(difference(turned, expected), 1e-6);
}

TEST(Attention, HeadsMustDivideTheWidth) {
  EXPECT_THROW(SelfAttention(AttentionOptions{.d_model = 10, .kind = MultiHead{.heads = 4}}), c10::Error);
}

/// Of self- and cross-attention, with weights wanted (spelled out) and without (fused).
TEST(Attention, DropoutOfWeightsActsInTrainingAlone) {
  const AttentionOptions certain{.d_model = 8, .kind = MultiHead{.heads = 2}};
  AttentionOptions dropping = certain;
  dropping.dropout = 0.5;
  SelfAttention self(dropping), certain_self(certain);
  CrossAttention cross(dropping), certain_cross(certain);
  fill(*self, 3);
  fill(*certain_self, 3);
  fill(*cross, 4);
  fill(*certain_cross, 4);
  torch::manual_seed(5);
  const Tensor x = at::randn({2, 5, 8}), memory = at::randn({2, 6, 8});
  const AttentionMask all;
  for (const bool want_weights : {false, true}) {
    const auto of_self = [&](SelfAttention& layer) { return layer->forward(x, {}, want_weights).context; };
    const auto of_cross = [&](CrossAttention& layer) {
      return layer->forward(x, layer->project(memory), all, want_weights).context;
    };
    self->eval();
    cross->eval();
    EXPECT_LT(difference(of_self(self), of_self(certain_self)), 1e-5);
    EXPECT_LT(difference(of_cross(cross), of_cross(certain_cross)), 1e-5);
    self->train();
    cross->train();
    const RandomScope scope(1, 1, 1);
    EXPECT_GT(difference(of_self(self), of_self(certain_self)), 1e-3);
    EXPECT_GT(difference(of_cross(cross), of_cross(certain_cross)), 1e-3);
  }
}

}  // namespace
}  // namespace heed::nn
