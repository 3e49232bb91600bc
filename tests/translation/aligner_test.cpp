#include "heed/translation/aligner.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/text/character_tokenizer.h"
#include "heed/translation/line_length.h"
#include "heed/translation/translator.h"
#include "support/decisive_model.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

using Pairs = std::vector<std::pair<int64_t, int64_t>>;
constexpr int64_t kWords = 30;

Aligner tiny_aligner() {
  return {testing::decisive_model(kWords), {text::numbered_words(kWords), text::numbered_words(kWords)}, at::kCPU};
}

TEST(Alignment, LinksEachTargetWordToTheSourceWordItLooksAtMost) {
  const Alignment alignment{
      .source_words = {"a", "b", "c"}, .target_words = {"x", "y"}, .weights = {{0.1f, 0.2f, 0.6f}, {0.5f, 0.3f, 0.1f}}};
  EXPECT_EQ(alignment.links(), (Pairs{{0, 1}, {2, 0}}));
  EXPECT_EQ(pharaoh(alignment), "0-1 2-0");
}

TEST(Aligner, GivesAWeightToEveryPairOfWords) {
  const std::vector<std::string> sources{"w1 w2 w3"}, targets{"w4 w5"};
  const auto alignments = tiny_aligner().align(sources, targets);
  ASSERT_EQ(alignments.size(), 1u);
  EXPECT_EQ(alignments[0].source_words, (std::vector<std::string>{"w1", "w2", "w3"}));
  EXPECT_EQ(alignments[0].target_words, (std::vector<std::string>{"w4", "w5"}));
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
  const auto translations = Translator(model, tokenizers, {}, {}, at::kCPU, {.attention = true}).translate(lines);
  std::vector<std::string> targets;
  for (const Translation& translation : translations) targets.push_back(translation.text);
  model->train();
  const auto alignments = Aligner(model, tokenizers, at::kCPU).align(lines, targets);
  EXPECT_TRUE(model->is_training());
  for (size_t i = 0; i < lines.size(); ++i) {
    ASSERT_EQ(alignments[i].weights.size(), translations[i].attention.size());
    for (size_t t = 0; t < alignments[i].weights.size(); ++t) {
      for (size_t s = 0; s < alignments[i].source_words.size(); ++s) {
        EXPECT_NEAR(alignments[i].weights[t][s], translations[i].attention[t][s], 1e-4);
      }
    }
  }
}

TEST(Aligner, SubwordsAreMergedToWordsAndTrailingSpaceToNone) {
  const std::vector<std::string> characters{"a", "b", " "};
  const text::Tokenizers tokenizers{text::numbered_words(3), std::make_shared<text::CharacterTokenizer>(characters)};
  const std::vector<std::string> sources{"w0 w1 w2"}, targets{"ab b "};
  const auto alignments = Aligner(testing::decisive_model(3), tokenizers, at::kCPU).align(sources, targets);
  EXPECT_EQ(alignments[0].target_words, (std::vector<std::string>{"ab", "b"}));
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
  for (const Alignment& alignment : tiny_aligner().align(sources, targets)) {
    EXPECT_TRUE(alignment.links().empty());
    EXPECT_EQ(pharaoh(alignment), "");
  }
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
