#include "heed_torch/translation/scorer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed/search/beam_model.h"
#include "heed/translation/translator.h"
#include "heed_torch/translation/ensemble_model.h"
#include "heed_torch/translation/lines/line_length.h"
#include "support/decisive_model.h"
#include "support/message_of.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

constexpr int64_t kWords = 30;

struct Fixture {
  std::shared_ptr<models::Model> model = testing::decisive_model(kWords);
  text::Tokenizers tokenizers{text::numbered_words(kWords), text::numbered_words(kWords)};
  Scorer scorer(const ScorerOptions& options = {}) const { return {model, tokenizers, options, at::kCPU}; }
};

TEST(Scorer, EqualsTheSearchsOwnScores) {
  const Fixture f;
  const auto lines = text::random_lines(60, kWords, 12);
  const search::SearchOptions search{.beam = 4, .unknown = true};
  const Translator translator(std::make_shared<EnsembleModel>(f.model, at::kCPU), f.tokenizers, search, {},
                              {.token_scores = true});
  const auto translations = translator.translate(source_lines(lines));
  std::vector<text::Ids> sources, targets;
  for (const Translation& translation : translations) {
    sources.push_back(translation.source);
    targets.push_back(translation.target);
  }
  const auto scored = f.scorer().score(sources, targets);
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_NEAR(scored[i].log_probability, translations[i].log_probability, 1e-4);
    ASSERT_EQ(scored[i].token_log_probabilities.size(), targets[i].size() + 1);
    for (size_t j = 0; j <= targets[i].size(); ++j) {
      EXPECT_NEAR(scored[i].token_log_probabilities[j], translations[i].token_log_probabilities[j], 1e-4);
    }
  }
}

TEST(Scorer, ScoresThatAreNotNumbersAreAnError) {
  const Fixture f;
  const torch::NoGradGuard guard;
  for (at::Tensor& parameter : f.model->parameters()) parameter.fill_(std::numeric_limits<float>::quiet_NaN());
  const std::vector<std::string> lines{"w1 w2"};
  EXPECT_EQ(testing::message_of<Error>([&] { f.scorer().score(lines, lines); }), search::kNotNumbers);
}

TEST(Scorer, TextIsScoredAsItsIds) {
  const Fixture f;
  const std::vector<std::string> sources{"w1 w2 w3", "w4"}, targets{"w5", "w6 w7 never-seen"};
  const auto scored = f.scorer().score(sources, targets);
  const std::vector<text::Ids> source_ids{{5, 6, 7}, {8}}, target_ids{{9}, {10, 11, text::kUnk}};
  const auto by_ids = f.scorer().score(source_ids, target_ids);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(scored[i].log_probability, by_ids[i].log_probability);
    EXPECT_LT(scored[i].log_probability, 0);
  }
}

TEST(Scorer, VectorsCountBesideTheirText) {
  models::ArchitectureOptions options = testing::decisive_architecture();
  options.vectors = {models::ProjectedVectors{.form = {.width = 2, .grid = false, .standardize = false}}};
  const text::Tokenizers tokenizers{text::numbered_words(kWords), text::numbered_words(kWords)};
  const Scorer scorer(testing::decisive_model(kWords, options), tokenizers, {}, at::kCPU);
  const auto score_beside = [&](std::vector<float> vector) {
    const auto item = std::make_shared<search::SourceItem>(
        search::SourceItem{.shape = {1, 1}, .values = std::move(vector), .positions = 1, .has_text = true});
    const std::vector<SourceLine> sources{{.text = "w1 w2", .item = item}};
    const std::vector<std::string> targets{"w3"};
    return scorer.score_all(sources, targets)[0].log_probability;
  };
  EXPECT_EQ(score_beside({4, -4}), score_beside({4, -4}));
  EXPECT_GT(std::abs(score_beside({4, -4}) - score_beside({-4, 4})), 1e-3);
}

TEST(Scorer, BatchesAndWorkersDoNotChangeScores) {
  const Fixture f;
  const auto sources = text::random_lines(50, kWords, 12, 1);
  auto targets = text::random_lines(50, kWords, 12, 2);
  targets[7] = "";
  const auto expected = f.scorer({.batch_tokens = 1}).score(sources, targets);
  for (const ScorerOptions& options : {ScorerOptions{}, ScorerOptions{.batch_tokens = 100, .workers = 2}}) {
    const auto scored = f.scorer(options).score(sources, targets);
    ASSERT_EQ(scored.size(), expected.size());
    for (size_t i = 0; i < scored.size(); ++i) {
      EXPECT_NEAR(scored[i].log_probability, expected[i].log_probability, 1e-4);
      EXPECT_EQ(scored[i].token_log_probabilities.size(), expected[i].token_log_probabilities.size());
    }
  }
}

TEST(Scorer, ProbabilitiesOfAllContinuationsSumToOne) {
  const Fixture f;
  std::vector<text::Ids> sources, targets;
  for (int32_t id = 0; id < kWords + 4; ++id) {
    if (id == text::kPad) continue;  // padding is no token of a text
    sources.push_back({5, 6});
    targets.push_back({4, id});
  }
  double sum = 0;
  for (const ScoredTranslation& scored : f.scorer().score(sources, targets)) {
    sum += std::exp(static_cast<double>(scored.token_log_probabilities[1]));
  }
  EXPECT_LE(sum, 1.0001);
  EXPECT_GT(sum, 0.9);
}

TEST(Scorer, NothingToScoreIsNoWork) {
  const Fixture f;
  EXPECT_TRUE(f.scorer().score(std::span<const std::string>{}, std::span<const std::string>{}).empty());
}

TEST(Scorer, ALineBeyondLearnedPositionsIsAnError) {
  auto options = testing::decisive_architecture();
  testing::encoder_stack(options).positions = nn::LearnedPositions{.max_length = 4};
  Fixture f;
  f.model = testing::decisive_model(kWords, options);
  const std::vector<std::string> targets{"w1", "w2"};
  EXPECT_NO_THROW(f.scorer().score(std::vector<std::string>{"w1", "w1 w2 w3"}, targets));
  try {
    f.scorer().score(std::vector<std::string>{"w1", "w1 w2 w3 w4"}, targets);
    FAIL();
  } catch (const LineTooLong& error) {
    EXPECT_STREQ(error.what(), "the model has positions for at most 4 source tokens, but the line needs 5");
    EXPECT_EQ(error.pair(), 1U);
    EXPECT_EQ(error.side(), LineTooLong::Side::Source);
  }
}

TEST(Scorer, ALineBeyondTheScoresOfLocationsIsAnError) {
  auto options = testing::tiny_rnn();
  std::get<models::RnnDecoderOptions>(options.decoder.type).attention =
      models::AttentionBeforeCell{.attend = {.score = nn::LocationScore{.max_source = 4}}};
  Fixture f;
  f.model = models::build_model(options, {.source = kWords + 4, .target = kWords + 4}, 1);
  const std::vector<std::string> fits{"w1 w2 w3"}, longer{"w1 w2 w3 w4"}, target{"w1"};
  EXPECT_NO_THROW(f.scorer().score(fits, target));
  EXPECT_EQ(testing::message_of<LineTooLong>([&] { f.scorer().score(longer, target); }),
            "the model has positions for at most 4 source tokens, but the line needs 5");
}

TEST(Scorer, ATargetNeedsOnePositionMoreThanItsTokens) {
  auto options = testing::decisive_architecture();
  testing::decoder_stack(options).positions = nn::LearnedPositions{.max_length = 4};
  Fixture f;
  f.model = testing::decisive_model(kWords, options);
  const std::vector<std::string> source{"w1"}, fits{"w1 w2 w3"}, longer{"w1 w2 w3 w4"};
  EXPECT_EQ(f.scorer().score(source, fits)[0].token_log_probabilities.size(), 4U);
  EXPECT_EQ(testing::message_of<LineTooLong>([&] { f.scorer().score(source, longer); }),
            "the model has positions for at most 4 target tokens, but the line needs 5");
}

TEST(Scorer, ALineOfTooManyTokensOrBytesIsAnError) {
  Fixture f;
  std::string tokens;
  for (int64_t i = 0; i < kMostTokens; ++i) tokens += "w1 ";
  const std::vector<std::string> one{"w1"}, many{tokens}, bytes{std::string(kMostBytes + 1, 'w')};
  EXPECT_EQ(testing::message_of<LineTooLong>([&] { f.scorer().score(one, many); }),
            "a line is read at once up to 10,000 tokens, but this one has 10,001");
  EXPECT_EQ(testing::message_of<LineTooLong>([&] { f.scorer().score(bytes, one); }),
            "a line is read at once up to 200,000 bytes, but this one has 200,001");
}

TEST(Scorer, ALineBeyondMemoryIsNamed) {
  EXPECT_EQ(within_memory(3, 5, 6, [] { return 7; }), 7);
  try {
    within_memory(3, 5, 6, [] { throw std::bad_alloc(); });
    FAIL();
  } catch (const LineTooLong& error) {
    EXPECT_EQ(error.pair(), 3U);
    EXPECT_EQ(error.side(), LineTooLong::Side::Target);
    EXPECT_STREQ(error.what(), "there is not enough memory for a line of 6 tokens");
  }
}

}  // namespace
}  // namespace heed::translation
