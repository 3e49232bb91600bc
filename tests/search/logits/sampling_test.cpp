#include "heed_torch/search/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "heed/core/error.h"
#include "support/fake_step_model.h"
#include "support/message_of.h"

namespace heed::search {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();
using Tokens = std::vector<int32_t>;
constexpr int64_t kVocabulary = 7;

/// The text of each prompt, by index.
std::map<int64_t, Hypothesis> made_of(FakeStepModel& model, const SamplingOptions& options, int64_t room,
                                      const std::vector<Prompt>& prompts) {
  std::map<int64_t, Hypothesis> made;
  sample_all(model, options, room, prompts, [&](FinishedText&& finished) {
    EXPECT_TRUE(made.emplace(finished.index, std::move(finished.hypothesis)).second);
  });
  EXPECT_EQ(made.size(), prompts.size());
  return made;
}

std::vector<Prompt> prompts_of(int64_t count, std::span<const int32_t> prefix = {}, int64_t first = 0) {
  std::vector<Prompt> prompts;
  for (int64_t i = first; i < first + count; ++i) {
    const RandomStream random(3, Purpose::Test, static_cast<uint64_t>(i));
    prompts.push_back({.index = i, .prefix = prefix, .random = random});
  }
  return prompts;
}

/// p(text) by the formula, from the scorer's logits: every token and end-of-sentence; pad, unk and bos never come.
double probability_of(const Scorer& scorer, const Tokens& text) {
  Prefix prefix;
  double log_probability = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const std::vector<float> logits = scorer({}, prefix);
    double sum = 0;
    for (size_t id = 3; id < logits.size(); ++id) sum += std::exp(static_cast<double>(logits[id]));
    const int64_t next = i < text.size() ? text[i] : text::kEos;
    log_probability += static_cast<double>(logits[static_cast<size_t>(next)]) - std::log(sum);
    prefix.push_back(next);
  }
  return std::exp(log_probability);
}

TEST(Sampling, TextsComeAsOftenAsTheyAreProbable) {
  const Scorer scorer = random_scorer(kVocabulary, 1, /*eos_logit=*/2);
  FakeStepModel model(kVocabulary, scorer);
  constexpr int64_t kDraws = 6000;
  std::map<Tokens, int64_t> counts;
  for (const auto& [index, made] : made_of(model, {}, 500, prompts_of(kDraws))) ++counts[made.ids];
  std::vector<Tokens> texts{{}};
  for (int32_t a = 4; a < kVocabulary; ++a) {
    texts.push_back({a});
    for (int32_t b = 4; b < kVocabulary; ++b) texts.push_back({a, b});
  }
  for (const Tokens& text : texts) {
    const double expected = probability_of(scorer, text) * kDraws;
    EXPECT_NEAR(static_cast<double>(counts[text]), expected, 4 * std::sqrt(expected) + 1)
        << ::testing::PrintToString(text);
  }
}

TEST(Sampling, GreedyTakesTheLikeliestAndNeedsNoStream) {
  const Scorer scorer = random_scorer(kVocabulary);
  FakeStepModel model(kVocabulary, scorer);
  const auto made = made_of(model, {.method = GreedyOptions{}, .max_length = 4}, 2, prompts_of(1)).at(0);
  Prefix prefix;
  for (const int32_t id : made.ids) {
    auto logits = scorer({}, prefix);
    logits[0] = logits[1] = logits[2] = kNever;
    EXPECT_EQ(id, std::ranges::max_element(logits) - logits.begin());
    prefix.push_back(id);
  }
  const auto of_one =
      made_of(model, {.method = SampleOptions{.draw = {.top_k = 1}}, .max_length = 4}, 2, prompts_of(1)).at(0);
  EXPECT_EQ(of_one.ids, made.ids);
}

TEST(Sampling, ScoresThatAreNotNumbersAreAnError) {
  FakeStepModel broken(6, [](const Prefix&, const Prefix&) { return std::vector<float>(6, std::nanf("")); });
  for (const SamplingOptions& options : {SamplingOptions{.method = GreedyOptions{}}, SamplingOptions{}}) {
    EXPECT_EQ(heed::testing::message_of<Error>([&] { made_of(broken, options, 2, prompts_of(1)); }),
              "the model's scores are not numbers: were its parameters damaged?");
  }
}

TEST(Sampling, ATextDoesNotDependOnItsNeighbors) {
  FakeStepModel model(kVocabulary, random_scorer(kVocabulary));
  const auto together = made_of(model, {}, 5, prompts_of(40));
  EXPECT_LT(model.starts, 8) << "texts enter while others are under way";
  EXPECT_LE(model.most_sentences, 5);
  for (const int64_t i : {0, 7, 39}) {
    const auto alone = made_of(model, {}, 1, prompts_of(1, {}, i)).at(i);
    EXPECT_EQ(alone.ids, together.at(i).ids);
    EXPECT_EQ(alone.log_probability, together.at(i).log_probability);
  }
}

TEST(Sampling, GoesOnBehindThePrefixAndScoresOnlyWhatItAdds) {
  const Scorer scorer = random_scorer(kVocabulary, 1, /*eos_logit=*/1);
  FakeStepModel model(kVocabulary, scorer);
  const Tokens prefix{5, 6, 4};
  const auto made = made_of(model, {}, 8, prompts_of(20, prefix));
  for (const auto& [index, text] : made) {
    Prefix read{5, 6, 4};
    double expected = 0;
    Tokens all = text.ids;
    all.push_back(text::kEos);
    for (const int32_t id : all) {
      const auto logits = torch::tensor(scorer({}, read));
      expected += (logits[id] - torch::logsumexp(logits, 0)).item<double>();
      read.push_back(id);
    }
    EXPECT_TRUE(text.complete);
    EXPECT_NEAR(text.log_probability, expected, 1e-5);
    EXPECT_EQ(text.token_log_probabilities.size(), all.size());
  }
}

TEST(Sampling, IsCutOffAtTheLimitAndWhereTheModelEnds) {
  FakeStepModel endless(kVocabulary, random_scorer(kVocabulary, 1, /*eos_logit=*/-50));
  const auto made = made_of(endless, {.max_length = 6}, 3, prompts_of(4));
  for (const auto& [index, text] : made) {
    EXPECT_EQ(text.ids.size(), 6U);
    EXPECT_FALSE(text.complete);
  }
  endless.longest = 5;
  const Tokens prefix{4, 5};
  EXPECT_EQ(made_of(endless, {}, 3, prompts_of(1, prefix)).at(0).ids.size(), 4U) << "the last is not read";
}

TEST(Sampling, SpecialTokensNeverComeAndTheUnknownOneIfWanted) {
  const Scorer special = [](const Prefix&, const Prefix&) { return std::vector<float>{9, 8, 9, 0, 0, 0, 0}; };
  FakeStepModel model(kVocabulary, special);
  for (const auto& [index, text] : made_of(model, {.max_length = 20}, 9, prompts_of(30))) {
    for (const int32_t id : text.ids) EXPECT_GT(id, text::kEos);
  }
  const auto unknown = made_of(model, {.method = GreedyOptions{}, .max_length = 2, .unknown = true}, 9, prompts_of(1));
  EXPECT_EQ(unknown.at(0).ids, (Tokens{text::kUnk, text::kUnk}));
}

}  // namespace
}  // namespace heed::search
