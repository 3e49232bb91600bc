#include "heed_torch/translation/model_step.h"

#include <gtest/gtest.h>

#include <torch/torch.h>

#include "heed/text/tokenizer.h"
#include "support/decisive_model.h"

namespace heed::translation {
namespace {

constexpr int64_t kWords = 30;

const std::shared_ptr<models::Model>& model() {
  static const auto shared = testing::decisive_model(kWords);
  return shared;
}

Tensor bos(int64_t sentences, int64_t beam) { return torch::full({sentences, beam}, text::kBos, torch::kLong); }

void expect_close(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_TRUE(torch::allclose(a, b, 1e-5, 1e-4)) << (a - b).abs().max();
}

TEST(ModelStep, GivesLogitsTheirLogsumexpAndAttention) {
  ModelStep step(model(), at::kCPU);
  EXPECT_EQ(step.vocab_size(), kWords + 4);
  step.start(torch::tensor({{5, 6, 3}, {7, 3, 0}}), 2, true);
  const search::StepScores scores = step.step(bos(2, 2));
  EXPECT_EQ(scores.logits.sizes(), (std::vector<int64_t>{2, 2, kWords + 4}));
  expect_close(scores.logsumexp, torch::logsumexp(scores.logits, -1, true));
  EXPECT_EQ(scores.attention.sizes(), (std::vector<int64_t>{2, 2, 3}));
  expect_close(scores.attention.sum(-1), torch::ones({2, 2}));
  EXPECT_EQ(scores.attention[1][0][2].item<float>(), 0);
}

TEST(ModelStep, SelectedSentencesContinueTheirParents) {
  const Tensor source = torch::tensor({{5, 6, 8, 3}, {7, 9, 3, 0}, {9, 3, 0, 0}});
  ModelStep step(model(), at::kCPU);
  step.start(source, 2, false);
  step.step(bos(3, 2));
  step.step(torch::tensor({{4, 5}, {6, 7}, {8, 9}}));
  step.select(torch::tensor({1}), torch::tensor({{1, 0}}));
  const Tensor logits = step.step(torch::tensor({{10, 11}})).logits;

  ModelStep alone(model(), at::kCPU);
  alone.start(torch::tensor({{7, 9, 3}}), 2, false);
  alone.step(bos(1, 2));
  alone.step(torch::tensor({{7, 6}}));
  expect_close(logits, alone.step(torch::tensor({{10, 11}})).logits);
}

TEST(ModelStep, JoinedSentencesAreAsIfAlone) {
  ModelStep step(model(), at::kCPU);
  step.start(torch::tensor({{5, 6, 3}}), 2, false);
  step.step(bos(1, 2));
  step.step(torch::tensor({{4, 5}}));
  step.join(torch::tensor({{7, 9, 8, 3}, {9, 3, 0, 0}}));
  step.step(torch::cat({torch::tensor({{6, 7}}), bos(2, 2)}));
  const Tensor logits = step.step(torch::tensor({{8, 9}, {10, 11}, {12, 13}})).logits;

  ModelStep first(model(), at::kCPU);
  first.start(torch::tensor({{5, 6, 3}}), 2, false);
  first.step(bos(1, 2));
  first.step(torch::tensor({{4, 5}}));
  first.step(torch::tensor({{6, 7}}));
  expect_close(logits.slice(0, 0, 1), first.step(torch::tensor({{8, 9}})).logits);

  ModelStep second(model(), at::kCPU);
  second.start(torch::tensor({{7, 9, 8, 3}, {9, 3, 0, 0}}), 2, false);
  second.step(bos(2, 2));
  expect_close(logits.slice(0, 1), second.step(torch::tensor({{10, 11}, {12, 13}})).logits);
}

TEST(ModelStep, LearnedPositionsLimitTheTranslation) {
  EXPECT_GT(ModelStep(model(), at::kCPU).max_length(), 1'000'000);
  auto options = testing::decisive_architecture();
  testing::decoder_stack(options).positions = nn::LearnedPositions{.max_length = 10};
  ModelStep step(testing::decisive_model(kWords, options), at::kCPU);
  EXPECT_EQ(step.max_length(), 9) << "bos takes one position";
  step.start(torch::tensor({{5, 3}}), 1, false);
  for (int i = 0; i < 10; ++i) EXPECT_NO_THROW(step.step(bos(1, 1))) << i;
  EXPECT_THROW(step.step(bos(1, 1)), c10::Error);
}

}  // namespace
}  // namespace heed::translation
