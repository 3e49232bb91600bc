#include "heed_torch/translation/aligner.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/text/character_tokenizer.h"
#include "heed/translation/translator.h"
#include "heed_torch/translation/ensemble_model.h"
#include "heed_torch/translation/lines/line_length.h"
#include "support/decisive_model.h"
#include "support/message_of.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

constexpr int64_t kWords = 30;

Aligner tiny_aligner() {
  return {testing::decisive_model(kWords), {text::numbered_words(kWords), text::numbered_words(kWords)}, at::kCPU};
}

TEST(Aligner, GivesAWeightToEveryPairOfWords) {
  const std::vector<std::string> sources{"w1 w2 w3"}, targets{"w4 w5"};
  const auto alignments = tiny_aligner().align(sources, targets);
  ASSERT_EQ(alignments.size(), 1u);
  EXPECT_EQ(alignments[0].source, (std::vector<std::string>{"w1", "w2", "w3"}));
  EXPECT_EQ(alignments[0].target, (std::vector<std::string>{"w4", "w5"}));
  ASSERT_EQ(alignments[0].weights.size(), 2u);
  for (const auto& row : alignments[0].weights) {
    ASSERT_EQ(row.size(), 3u);
    const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
    EXPECT_GT(sum, 0.0f);
    EXPECT_LT(sum, 1.0f);  // the rest falls on the end-of-sentence mark
  }
}

TEST(Aligner, EqualsTheAttentionOfTheSearch) {
  const auto model = testing::decisive_model(kWords);
  const text::Tokenizers tokenizers{text::numbered_words(kWords), text::numbered_words(kWords)};
  const auto lines = text::random_lines(10, kWords, 8);
  const auto translations =
      Translator(std::make_shared<EnsembleModel>(model, at::kCPU), tokenizers, {}, {}, {.attention = true})
          .translate(source_lines(lines));
  std::vector<std::string> targets;
  for (const Translation& translation : translations) targets.push_back(translation.text);
  model->train();
  const auto alignments = Aligner(model, tokenizers, at::kCPU).align(lines, targets);
  EXPECT_TRUE(model->is_training());
  for (size_t i = 0; i < lines.size(); ++i) {
    ASSERT_EQ(alignments[i].weights.size(), translations[i].attention.size());
    for (size_t t = 0; t < alignments[i].weights.size(); ++t) {
      for (size_t s = 0; s < alignments[i].source.size(); ++s) {
        EXPECT_NEAR(alignments[i].weights[t][s], translations[i].attention[t][s], 1e-4);
      }
    }
  }
}

TEST(Aligner, ShowsTheAttentionOfALayerAHeadAndAll) {
  auto options = testing::decisive_architecture();
  testing::decoder_stack(options).layers = 2;
  const auto model = testing::decisive_model(kWords, options);
  const std::vector<std::string> source{"w1 w2 w3"}, target{"w4 w5"};
  const auto aligned = [&](const AttentionSelection& shown) {
    const text::Tokenizers tokenizers{text::numbered_words(kWords), text::numbered_words(kWords)};
    return Aligner(model, tokenizers, at::kCPU, {.shown = shown}).align(source, target).front();
  };
  const text::Alignment all = aligned({.all_heads = true});
  ASSERT_EQ(all.heads.size(), 2U);
  ASSERT_EQ(all.heads[1].size(), 2U);
  EXPECT_TRUE(aligned({}).heads.empty());
  EXPECT_EQ(aligned({.layer = 1, .head = 2}).weights, all.heads[0][1]);
  EXPECT_EQ(aligned({.head = 1}).weights, all.heads[1][0]);
  EXPECT_NE(all.heads[0][0], all.heads[0][1]);
  const auto mean = [&](size_t layer, size_t t, size_t s) {
    return (all.heads[layer][0][t][s] + all.heads[layer][1][t][s]) / 2;
  };
  for (size_t t = 0; t < 2; ++t) {
    for (size_t s = 0; s < 3; ++s) {
      EXPECT_NEAR(all.weights[t][s], mean(1, t, s), 1e-6);  // the last layer's, without a layer
      EXPECT_NEAR(aligned({.layer = 1}).weights[t][s], mean(0, t, s), 1e-6);
    }
  }
  EXPECT_EQ(testing::message_of<ConfigError>([&] { aligned({.layer = 3}); }),
            "`layer` is 3, but this model's attention has 2 layers");
  EXPECT_EQ(testing::message_of<ConfigError>([&] { aligned({.head = 5}); }),
            "`head` is 5, but this model's attention has 2 heads");
}

TEST(Aligner, TokensAreShownUnmerged) {
  const auto characters = std::make_shared<text::CharacterTokenizer>(std::vector<std::string>{"a", "b", " "});
  const text::Tokenizers tokenizers{text::numbered_words(3), characters};
  Aligner aligner(testing::decisive_model(3), tokenizers, at::kCPU, {.subwords = true});
  const std::vector<std::string> source{"w0 w1"}, target{"ab b"};
  const text::Alignment alignment = aligner.align(source, target).front();
  EXPECT_EQ(alignment.target, (std::vector<std::string>{"a", "b", "▁", "b"}));
  EXPECT_EQ(alignment.weights.size(), 4U);
}

TEST(Aligner, SubwordsAreMergedToWordsAndTrailingSpaceToNone) {
  const std::vector<std::string> characters{"a", "b", " "};
  const text::Tokenizers tokenizers{text::numbered_words(3), std::make_shared<text::CharacterTokenizer>(characters)};
  const std::vector<std::string> sources{"w0 w1 w2"}, targets{"ab b "};
  const auto alignments = Aligner(testing::decisive_model(3), tokenizers, at::kCPU).align(sources, targets);
  EXPECT_EQ(alignments[0].target, (std::vector<std::string>{"ab", "b"}));
  ASSERT_EQ(alignments[0].weights.size(), 2U);
  for (const auto& row : alignments[0].weights) EXPECT_LT(row[0] + row[1] + row[2], 1.0001F);
}

TEST(Aligner, EachPairStandsAlone) {
  const std::vector<std::string> sources{"w1 w2 w3", "w7", "w1 w2 w3"}, targets{"w4 w5", "w8 w9 w1", "w4 w5"};
  const auto alignments = tiny_aligner().align(sources, targets);
  EXPECT_EQ(alignments[0].weights, alignments[2].weights);
  EXPECT_EQ(alignments[1].weights.size(), 3u);
}

TEST(Aligner, ABlankSideHasNoLinks) {
  const std::vector<std::string> sources{"", "w1"}, targets{"w4", " "};
  for (const text::Alignment& alignment : tiny_aligner().align(sources, targets)) {
    EXPECT_TRUE(alignment.links().empty());
    EXPECT_TRUE(alignment.heads.empty());
  }
  Aligner all(testing::decisive_model(kWords), {text::numbered_words(kWords), text::numbered_words(kWords)}, at::kCPU,
              {.shown = {.all_heads = true}});
  const std::vector<std::string> more_sources{"", "w1", "w1"}, more_targets{"w4", " ", "w2 w3"};
  const auto alignments = all.align(more_sources, more_targets);
  for (const text::Alignment& alignment : alignments) {
    ASSERT_EQ(alignment.heads.size(), alignments[2].heads.size());
    EXPECT_EQ(alignment.heads[0].size(), alignments[2].heads[0].size());
  }
  EXPECT_EQ(alignments[0].heads[0][0], text::AlignmentWeights(1)) << "a row for the target's word, of no source";
  EXPECT_TRUE(alignments[1].heads[0][0].empty());
}

TEST(Aligner, ALineBeyondLearnedPositionsIsAnError) {
  auto options = testing::decisive_architecture();
  testing::decoder_stack(options).positions = nn::LearnedPositions{.max_length = 3};
  Aligner aligner(testing::decisive_model(kWords, options),
                  {text::numbered_words(kWords), text::numbered_words(kWords)}, at::kCPU);
  const std::vector<std::string> sources{"w1", "w1"}, fit{"w1", "w1 w2 w3"}, longer{"w1", "w1 w2 w3 w4"};
  EXPECT_NO_THROW(aligner.align(sources, fit));
  try {
    aligner.align(sources, longer);
    FAIL();
  } catch (const LineTooLong& error) {
    EXPECT_EQ(error.pair(), 1U);
    EXPECT_EQ(error.side(), LineTooLong::Side::Target);
  }
}

TEST(Aligner, NeedsASource) {
  auto options = testing::decisive_architecture();
  options.encoder.type = models::NoEncoderOptions{};
  const auto model = models::build_model(options, {.source = 0, .target = kWords + 4}, 1);
  EXPECT_THROW(Aligner(model, {nullptr, text::numbered_words(kWords)}, at::kCPU), ConfigError);
}

}  // namespace
}  // namespace heed::translation
