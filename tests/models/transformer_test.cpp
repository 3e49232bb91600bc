// What holds for every Transformer, whatever its options.
#include <gtest/gtest.h>

#include <cmath>

#include <torch/torch.h>

#include "heed/architecture/architecture.h"
#include "heed_torch/models/model.h"
#include "heed_torch/models/transformer/encoder_layer.h"
#include "heed_torch/nn/random/random_scope.h"
#include "support/tiny_models.h"

namespace heed::models {
namespace {

using namespace heed::testing;

constexpr VocabularySizes kVocabularies{.source = 11, .target = 11};

/// The hidden states [S, target, d_model].
Tensor hidden_of(Model& model, const Tensor& source, const Tensor& target) {
  const Memory memory = model.encode(source);
  return model.decoder->forward(target, &memory).hidden;
}

std::shared_ptr<Model> quiet(const ArchitectureOptions& options) {
  auto model = build_model(options, kVocabularies, 1);
  model->eval();
  return model;
}

TEST(Transformer, PaddingDoesNotChangeOutput) {
  const at::NoGradGuard no_grad;
  const Tensor source = random_sources({4, 2}, 11, 1), target = random_targets({5, 3}, 11, 2);
  for (const auto& [name, options] : transformer_grid()) {
    SCOPED_TRACE(name);
    const auto model = quiet(options);
    const Tensor padded = hidden_of(*model, at::constant_pad_nd(source, {0, 3}), at::constant_pad_nd(target, {0, 2}));
    EXPECT_LT(difference(padded.narrow(1, 0, 5), hidden_of(*model, source, target)), 1e-5);
  }
}

TEST(Transformer, BatchSizeAndOrderDoNotChangeOutput) {
  const at::NoGradGuard no_grad;
  const std::vector<int64_t> lengths = {6, 2, 4};
  const Tensor source = random_sources(lengths, 11, 1), target = random_targets(lengths, 11, 2);
  const Tensor order = at::tensor({2, 0, 1}, at::kLong);
  for (const auto& [name, options] : transformer_grid()) {
    SCOPED_TRACE(name);
    const auto model = quiet(options);
    const Tensor together = hidden_of(*model, source, target);
    const Tensor turned = hidden_of(*model, source.index_select(0, order), target.index_select(0, order));
    EXPECT_LT(difference(turned, together.index_select(0, order)), 1e-5);
    for (int64_t i = 0; i < 3; ++i) {
      const int64_t length = lengths[size_t(i)];
      const auto row = [&](const Tensor& x) { return x.narrow(0, i, 1).narrow(1, 0, length); };
      EXPECT_LT(difference(row(together), hidden_of(*model, row(source), row(target))), 1e-5);
    }
  }
}

TEST(Transformer, NoPositionSeesTheFuture) {
  const at::NoGradGuard no_grad;
  const Tensor source = random_sources({4}, 11, 1), target = random_targets({6}, 11, 2);
  for (auto [name, chosen] : transformer_grid()) {
    SCOPED_TRACE(name);
    const auto model = quiet(chosen);
    Tensor changed = target.clone();
    changed[0][4] = target[0][4].item<int64_t>() == 5 ? 6 : 5;
    const Tensor before = hidden_of(*model, source, target), after = hidden_of(*model, source, changed);
    EXPECT_LT(difference(after.narrow(1, 0, 4), before.narrow(1, 0, 4)), 1e-6);
    // Without residuals a token's own share may be lost on the way.
    if (encoder_stack(chosen).residual) {
      EXPECT_GT(difference(after.narrow(1, 4, 1), before.narrow(1, 4, 1)), 1e-4);
    }
  }
}

TEST(Transformer, WithoutLookAheadMaskAPositionSeesRealLaterTokensAndNoPadding) {
  const at::NoGradGuard no_grad;
  ArchitectureOptions options = tiny_transformer();
  std::get<TransformerDecoderOptions>(options.decoder.type).causal_mask = false;
  const auto model = quiet(options);
  const Tensor source = random_sources({4}, 11, 1), target = random_targets({6}, 11, 2);
  Tensor changed = target.clone();
  changed[0][4] = target[0][4].item<int64_t>() == 5 ? 6 : 5;
  const Tensor before = hidden_of(*model, source, target);
  EXPECT_GT(difference(hidden_of(*model, source, changed)[0][0], before[0][0]), 1e-4);
  const Tensor padded = at::cat({target, at::zeros({1, 2}, target.options())}, 1);
  EXPECT_LT(difference(hidden_of(*model, source, padded).narrow(1, 0, 6), before), 1e-5);
}

TEST(Transformer, EverySourceTokenReachesEveryPosition) {
  const Tensor source = random_sources({4}, 11, 1), target = random_targets({3}, 11, 2);
  for (const auto& [name, options] : transformer_grid()) {
    SCOPED_TRACE(name);
    const auto model = quiet(options);
    Memory memory = model->encode(source);
    memory.states = memory.states.detach().requires_grad_();
    const Tensor first = model->decoder->forward(target, &memory).hidden[0][0];
    const Tensor gradient = torch::autograd::grad({(first * at::arange(1, 17)).sum()}, {memory.states})[0];
    EXPECT_TRUE((gradient.abs().amax(-1) > 0).all().item<bool>());
  }
}

TEST(Transformer, AFullyPaddedRowIsFiniteAndDisturbsNoOther) {
  const Tensor source = random_sources({4, 3}, 11, 1), target = random_targets({5, 5}, 11, 2);
  const auto with_empty_row = [](const Tensor& rows) { return at::cat({rows, at::zeros_like(rows.narrow(0, 0, 1))}); };
  for (const auto& [name, options] : transformer_grid()) {
    SCOPED_TRACE(name);
    const auto model = quiet(options);
    const Tensor hidden = hidden_of(*model, with_empty_row(source), with_empty_row(target));
    EXPECT_TRUE(hidden.isfinite().all().item<bool>());
    // Libraries multiply three rows otherwise than two, and norms without residuals enlarge that (1.3e-5 with AVX2).
    EXPECT_LT(difference(hidden.narrow(0, 0, 2), hidden_of(*model, source, target)), 3e-5);
    const auto exact = quiet(options);
    exact->to(at::kDouble);
    EXPECT_LT(difference(hidden_of(*exact, with_empty_row(source), with_empty_row(target)).narrow(0, 0, 2),
                         hidden_of(*exact, source, target)),
              1e-10);
    model->logits(hidden).square().sum().backward();
    for (const auto& item : model->named_parameters()) {
      EXPECT_TRUE(item.value().grad().isfinite().all().item<bool>()) << item.key();
    }
  }
}

TEST(Transformer, EveryParameterOfEveryCombinationGetsAFiniteGradient) {
  const Tensor source = random_sources({5, 3}, 11, 1), target = random_targets({6, 4}, 11, 2);
  for (auto [name, options] : transformer_grid()) {
    SCOPED_TRACE(name);
    options.dropout = 0.1;
    for (TransformerOptions* stack : {&encoder_stack(options), &decoder_stack(options)}) {
      stack->attention_dropout = 0.1;
      stack->feed_forward.activation_dropout = 0.1;
    }
    const auto model = build_model(options, kVocabularies, 1);
    const nn::RandomScope scope(1, 1, 0);
    const Tensor logits = model->logits(hidden_of(*model, source, target));
    at::log_softmax(logits, -1).select(-1, 5).sum().backward();
    for (const auto& item : model->named_parameters()) {
      ASSERT_TRUE(item.value().grad().defined()) << item.key();
      EXPECT_TRUE(item.value().grad().isfinite().all().item<bool>()) << item.key();
    }
  }
}

TEST(Transformer, DropoutIsAFunctionOfTheScope) {
  ArchitectureOptions options = tiny_transformer();
  options.dropout = 0.3;
  const auto model = build_model(options, kVocabularies, 1);
  const Tensor source = random_sources({4}, 11, 1), target = random_targets({5}, 11, 2);
  const auto run = [&](uint64_t step) {
    const nn::RandomScope scope(1, step, 0);
    return hidden_of(*model, source, target);
  };
  EXPECT_TRUE(at::equal(run(1), run(1)));
  EXPECT_FALSE(at::equal(run(1), run(2)));
  model->eval();
  EXPECT_TRUE(at::equal(hidden_of(*model, source, target), hidden_of(*model, source, target)));
}

/// Everything that attention-dropout and activation-dropout reach, one by one.
TEST(Transformer, EachDropoutReachesItsLayers) {
  TransformerLayerOptions layer{.d_model = 16, .dropout = 0, .stack = {.attention_dropout = 0.25}};
  EXPECT_EQ(layer.self_attention().dropout, 0.25);
  EXPECT_EQ(layer.cross_attention(nn::MultiHead{}, /*d_memory=*/16).dropout, 0.25);
  layer.stack.query_key_value_dropout = 0.125;
  EXPECT_EQ(layer.self_attention().query_key_value_dropout, 0.125);
  EXPECT_EQ(layer.cross_attention(nn::MultiHead{}, /*d_memory=*/16).query_key_value_dropout, 0.125);
  layer.stack.feed_forward.activation_dropout = 0.5;
  EXPECT_EQ(layer.feed_forward().activation_dropout, 0.5);
}

TEST(Transformer, EachDropoutActsInTrainingAlone) {
  const Tensor source = random_sources({4, 2}, 11, 1), target = random_targets({3, 3}, 11, 2);
  const auto with = [](const auto& change) {
    ArchitectureOptions options = tiny_transformer();
    options.dropout = 0;
    change(options);
    return options;
  };
  const auto residual = [](ArchitectureOptions& options) { options.dropout = 0.5; };
  const auto of_weights = [](ArchitectureOptions& options) {
    encoder_stack(options).attention_dropout = decoder_stack(options).attention_dropout = 0.5;
  };
  const auto of_activations = [](ArchitectureOptions& options) {
    encoder_stack(options).feed_forward.activation_dropout = 0.5;
    decoder_stack(options).feed_forward.activation_dropout = 0.5;
  };
  const auto of_words = [](ArchitectureOptions& options) { options.word_dropout = 0.5; };
  const auto of_projections = [](ArchitectureOptions& options) {
    encoder_stack(options).query_key_value_dropout = decoder_stack(options).query_key_value_dropout = 0.5;
  };
  const auto of_layers = [](ArchitectureOptions& options) {
    encoder_stack(options).layer_dropout = decoder_stack(options).layer_dropout = 0.9;
  };
  const auto of_output = [](ArchitectureOptions& options) { decoder_of(options).output_dropout = 0.5; };
  const Tensor certain = hidden_of(*quiet(with([](ArchitectureOptions&) {})), source, target);
  for (const ArchitectureOptions& options : {with(residual), with(of_weights), with(of_activations), with(of_words),
                                             with(of_projections), with(of_layers), with(of_output)}) {
    const auto model = quiet(options);
    EXPECT_LT(difference(hidden_of(*model, source, target), certain), 1e-5);  // and nothing is drawn
    model->train();
    const nn::RandomScope scope(1, 1, 1);
    EXPECT_GT(difference(hidden_of(*model, source, target), certain), 1e-3);
  }
}

TEST(Transformer, LayerDropoutSkipsWholeLayers) {
  ArchitectureOptions options = tiny_transformer();
  encoder_stack(options).layers = 1;
  encoder_stack(options).layer_dropout = 0.25;
  encoder_stack(options).norm_order = NoNorm{};
  const auto model = build_model(options, kVocabularies, 1);
  const Tensor source = random_sources({4, 2}, 11, 1);
  model->eval();
  const Tensor whole = model->encode(source).states;
  model->train();
  int64_t skipped = 0, kept = 0;
  Tensor without;
  for (uint64_t part = 0; part < 400; ++part) {
    const nn::RandomScope scope(1, 1, part);
    const Tensor found = model->encode(source).states;
    if (difference(found, whole) < 1e-5) {
      ++kept;
      continue;
    }
    if (!without.defined()) without = found;
    EXPECT_TRUE(at::equal(found, without)) << "with the layer or without it";
    ++skipped;
  }
  EXPECT_EQ(kept + skipped, 400);
  EXPECT_NEAR(static_cast<double>(skipped) / 400, 0.25, 0.08);
  EXPECT_FALSE(without.grad_fn() && [&] {
    model->zero_grad();
    without.sum().backward();
    return model->named_parameters()["encoder.layers.0.feed_forward.output.weight"].grad().defined();
  }()) << "a layer that is skipped has no gradient";
}

TEST(Transformer, WithZeroBranchesEachLayerFirstPassesOnItsInput) {
  ArchitectureOptions options = tiny_transformer();
  options.initialization.zero_branches = true;
  for (TransformerOptions* stack : {&encoder_stack(options), &decoder_stack(options)}) stack->norm_order = NoNorm{};
  ArchitectureOptions deeper = options;
  encoder_stack(deeper).layers = decoder_stack(deeper).layers = 3;
  const Tensor source = random_sources({4, 2}, 11, 1), target = random_targets({3, 3}, 11, 2);
  const auto shallow_model = build_model(options, kVocabularies, 1), deep_model = build_model(deeper, kVocabularies, 1);
  const Tensor hidden = hidden_of(*shallow_model, source, target);
  EXPECT_TRUE(at::equal(hidden, hidden_of(*deep_model, source, target)));
  hidden.sum().backward();
  const auto parameters = shallow_model->named_parameters();
  for (const char* name :
       {"encoder.layers.1.feed_forward.output.weight", "decoder.layers.0.self_attention.output.weight",
        "decoder.layers.1.cross_attention.output.weight"}) {
    EXPECT_EQ(parameters[name].abs().max().item<double>(), 0) << name;
  }
  EXPECT_GT(parameters["decoder.layers.1.feed_forward.output.weight"].grad().abs().max().item<double>(), 0)
      << "and learns to leave it";
}

TEST(Transformer, InitialValuesDependOnSeedAndNameOnly) {
  ArchitectureOptions deeper = tiny_transformer();
  encoder_stack(deeper).layers = 3;
  const auto first = build_model(tiny_transformer(), kVocabularies, 7)->named_parameters();
  const auto second = build_model(deeper, kVocabularies, 7)->named_parameters();
  const auto other = build_model(tiny_transformer(), kVocabularies, 8)->named_parameters();
  for (const auto& item : first) EXPECT_TRUE(at::equal(item.value(), second[item.key()])) << item.key();
  EXPECT_FALSE(at::equal(first["decoder.embedding.weight"], other["decoder.embedding.weight"]));
}

TEST(Transformer, AnEncoderLayerEqualsTorchs) {
  const at::NoGradGuard no_grad;
  TransformerLayerOptions options{.d_model = 16, .dropout = 0, .stack = {}};
  options.stack.attention = nn::MultiHead{.heads = 4};
  options.stack.feed_forward.d_hidden = 24;
  TransformerEncoderLayer ours(options);
  torch::nn::TransformerEncoderLayer theirs(
      torch::nn::TransformerEncoderLayerOptions(16, 4).dim_feedforward(24).dropout(0));
  torch::manual_seed(1);
  for (auto& parameter : ours->parameters()) parameter.normal_(0, 0.4);
  theirs->self_attn->in_proj_weight.copy_(ours->self_attention->query_key_value->weight);
  theirs->self_attn->in_proj_bias.copy_(ours->self_attention->query_key_value->bias);
  theirs->self_attn->out_proj->weight.copy_(ours->self_attention->output->weight);
  theirs->self_attn->out_proj->bias.copy_(ours->self_attention->output->bias);
  theirs->linear1->weight.copy_(ours->feed_forward->hidden->weight);
  theirs->linear1->bias.copy_(ours->feed_forward->hidden->bias);
  theirs->linear2->weight.copy_(ours->feed_forward->output->weight);
  theirs->linear2->bias.copy_(ours->feed_forward->output->bias);
  theirs->norm1->weight.copy_(ours->self_attention_norm->weight);
  theirs->norm1->bias.copy_(ours->self_attention_norm->bias);
  theirs->norm2->weight.copy_(ours->feed_forward_norm->weight);
  theirs->norm2->bias.copy_(ours->feed_forward_norm->bias);
  const Tensor x = at::randn({3, 5, 16});
  const Tensor real = at::arange(5).unsqueeze(0) < at::tensor({5, 3, 1}).unsqueeze(1);
  nn::AttentionFrame frame;
  frame.mask = nn::AttentionMask::of_keys(real, at::kFloat);
  const Tensor found = ours(x, frame);
  const Tensor expected = theirs->forward(x.transpose(0, 1), {}, real.logical_not()).transpose(0, 1);
  EXPECT_LT(difference(found, expected), 1e-5);
}

}  // namespace
}  // namespace heed::models
