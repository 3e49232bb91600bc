#include "heed_torch/models/heads/head.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed_torch/models/heads/pooling.h"
#include "heed_torch/nn/random/random_scope.h"
#include "support/message_of.h"
#include "support/tiny_models.h"

namespace heed::models {
namespace {

using heed::testing::message_of;
using heed::testing::tiny_convolution;
using heed::testing::tiny_rnn;
using heed::testing::tiny_transformer;

/// Two sentences of two and one positions: the third is padding that nothing may look at.
Memory small_memory() {
  return {.states = torch::tensor({{{1.0, -2.0}, {3.0, 4.0}}, {{5.0, -6.0}, {1e9, -1e9}}}).to(torch::kFloat),
          .mask = torch::tensor({{true, true}, {true, false}}),
          .tokens = torch::tensor({{7, 3}, {3, 0}}, torch::kLong),
          .last = {}};
}

std::vector<float> values(const Tensor& tensor) {
  const Tensor flat = tensor.contiguous().flatten().to(torch::kFloat);
  return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

TEST(Pooling, ByHand) {
  const Memory memory = small_memory();
  const auto state = [&](const PoolingOptions& options) {
    return values(make_pooling(options, 2)->forward(memory).state);
  };
  EXPECT_EQ(state(LastPooling{}), (std::vector<float>{3, 4, 5, -6}));
  EXPECT_EQ(state(MeanPooling{}), (std::vector<float>{2, 1, 5, -6}));
  EXPECT_EQ(state(MaxPooling{}), (std::vector<float>{3, 4, 5, -6}));
}

TEST(Pooling, LastOfARecurrentEncoderIsItsTopLayersLastState) {
  Memory memory = small_memory();
  memory.last = {{.hidden = torch::zeros({2, 3}), .cell = {}}, {.hidden = torch::full({2, 3}, 9.0), .cell = {}}};
  EXPECT_EQ(values(make_pooling(LastPooling{}, 2)->forward(memory).state), std::vector<float>(6, 9));
}

TEST(Pooling, AttentionWeightsAreASoftmaxOfScores) {
  const auto pooling = make_pooling(AttentionPooling{.hidden = 1}, 2);
  auto parameters = pooling->named_parameters();
  {
    const torch::NoGradGuard no_grad;
    parameters["key.weight"].copy_(torch::tensor({{0.5F, -0.25F}}));
    parameters["key.bias"].fill_(0.1);
    parameters["vector"].fill_(2);
  }
  const Pooled pooled = pooling->forward(small_memory());
  const double a = std::exp(2 * std::tanh(0.5 + 0.5 + 0.1)), b = std::exp(2 * std::tanh(1.5 - 1 + 0.1));
  EXPECT_NEAR(pooled.weights[0][0].item<double>(), a / (a + b), 1e-6);
  EXPECT_NEAR(pooled.weights[0].sum().item<double>(), 1, 1e-6);
  EXPECT_EQ(pooled.weights[1][1].item<double>(), 0);
  EXPECT_NEAR(pooled.state[0][0].item<double>(), (a * 1 + b * 3) / (a + b), 1e-5);
  EXPECT_EQ(values(pooled.state[1]), (std::vector<float>{5, -6}));
}

TEST(NumberHead, StandardizesAndBack) {
  NumberHead head({.pooling = MeanPooling{}}, {.d_memory = 2}, 2, 0);
  head.set_statistics(torch::tensor({10.0, 5.0}), torch::tensor({4.0, 0.0}));
  const Tensor numbers = torch::tensor({{18.0F, 7.0F}});
  EXPECT_EQ(values(head.standardized(numbers)), (std::vector<float>{2, 2}));  // what never varies has deviation 1
  EXPECT_EQ(values(head.restored(head.standardized(numbers))), values(numbers));
}

/// A model with this head on each kind of encoder.
std::vector<ArchitectureOptions> with_head(const HeadOptions& head) {
  std::vector<ArchitectureOptions> all{tiny_transformer(), tiny_rnn(), tiny_convolution()};
  for (ArchitectureOptions& options : all) {
    options.decoder.type = NoDecoderOptions{};
    options.head = head;
    options.tied_embeddings = TiedEmbeddings::None;
    options.output_bias = true;
  }
  return all;
}

std::vector<HeadOptions> all_heads() {
  std::vector<HeadOptions> heads{{.type = LabelHeadOptions{}}, {.type = LabelHeadOptions{.crf = true}}};
  for (const PoolingOptions& pooling : {PoolingOptions(AttentionPooling{}), PoolingOptions(MeanPooling{}),
                                        PoolingOptions(MaxPooling{}), PoolingOptions(LastPooling{})}) {
    heads.push_back({.type = ClassHeadOptions{.pooling = pooling}});
    heads.push_back({.type = NumberHeadOptions{.pooling = pooling}});
  }
  return heads;
}

TEST(Heads, PaddingChangesNoOutputWhateverTheEncoder) {
  for (const HeadOptions& head : all_heads()) {
    for (const ArchitectureOptions& options : with_head(head)) {
      const auto model = build_model(options, {.source = 20, .target = 5}, 1);
      model->eval();
      const auto logits = [&](const std::vector<int64_t>& ids) {
        const Tensor source = torch::tensor(ids, torch::kLong).unsqueeze(0);
        return model->logits(model->head->forward(model->encode(source)).hidden);
      };
      const Tensor alone = logits({7, 8, 9, 3}), padded = logits({7, 8, 9, 3, 0, 0, 0});
      ASSERT_EQ(alone.size(2), 5);
      EXPECT_TRUE(torch::allclose(alone, padded.slice(1, 0, alone.size(1)), 1e-5, 1e-6))
          << options.encoder.type.index() << " " << head.type.index();
    }
  }
}

TEST(Heads, EveryParameterHasAGradient) {
  for (const HeadOptions& head : all_heads()) {
    for (const ArchitectureOptions& options : with_head(head)) {
      const auto model = build_model(options, {.source = 20, .target = 5}, 1);
      const Memory memory = model->encode(torch::tensor({{7, 8, 9, 3}, {7, 3, 0, 0}}, torch::kLong));
      const Tensor logits = model->logits(model->head->forward(memory).hidden);
      const Tensor labels = torch::tensor({{1, 0, 2, 4}, {3, 0, 0, 0}}, torch::kLong);
      Tensor loss = logits.square().sum();
      if (model->head->crf) loss = model->head->crf->loss(logits, labels, labels.ge(0)).sum();
      loss.backward();
      for (const auto& item : model->named_parameters()) {
        EXPECT_TRUE(item.value().grad().defined()) << item.key();
      }
    }
  }
}

TEST(Heads, DropoutFallsOnTheStatesInTrainingAlone) {
  const Memory ones{.states = torch::ones({2, 3, 64}),
                    .mask = torch::ones({2, 3}, torch::kBool),
                    .tokens = torch::full({2, 3}, 7, torch::kLong),
                    .last = {}};
  for (const HeadOptions& options : all_heads()) {
    const auto head = make_head(options, {.d_memory = 64}, 5, 0.5);
    for (const Tensor& parameter : head->parameters()) torch::nn::init::constant_(parameter, 0.1);
    head->eval();
    const Tensor whole = head->forward(ones).hidden;
    EXPECT_TRUE(whole.ne(0).all().item<bool>()) << options.type.index();
    const nn::RandomScope scope(1, 1, 1);
    head->train();
    const Tensor dropped = head->forward(ones).hidden;
    const Tensor kept = dropped.ne(0);
    EXPECT_TRUE(torch::allclose(dropped, whole * 2 * kept)) << options.type.index();
    EXPECT_NEAR(kept.to(torch::kFloat).mean().item<double>(), 0.5, 0.25) << options.type.index();
  }
}

TEST(Heads, DoNotStandWhereADecoderDoes) {
  const auto refusal = [](const auto& change) {
    ArchitectureOptions options = with_head({.type = ClassHeadOptions{}})[0];
    change(options);
    return message_of<ConfigError>([&] { validate(options); });
  };
  EXPECT_EQ(refusal([](auto& options) { options.decoder = tiny_transformer().decoder; }),
            "`arch.head.type` must be none with a decoder, which writes text");
  EXPECT_EQ(refusal([](auto& options) { options.head = {}; }),
            "`arch.decoder.type` cannot be none without a head (`arch.head.type`)");
  EXPECT_EQ(refusal([](auto& options) { options.encoder.type = NoEncoderOptions{}; }),
            "`arch.encoder.type` cannot be none: a head stands on an encoder");
  EXPECT_EQ(refusal([](auto& options) { options.tied_embeddings = TiedEmbeddings::Decoder; }),
            "`arch.tied-embeddings` must be none with a head: labels and numbers have no embedding");
}

}  // namespace
}  // namespace heed::models
