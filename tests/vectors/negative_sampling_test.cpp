#include "heed/vectors/negative_sampling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "heed/vectors/word_vectors.h"
#include "support/message_of.h"

namespace heed::vectors {
namespace {

/// Lines "left X right" of two kinds: animals stand between other words than colors.
CountedText made_text() {
  CountedText text;
  text.words = {"the", "runs", "paint", "wall", "dog", "cat", "red", "blue"};
  text.counts.assign(8, 0);
  RandomStream random(3, Purpose::Test);
  for (int i = 0; i < 2000; ++i) {
    const bool animal = random.below(2) == 0;
    const auto which = static_cast<int32_t>(random.below(2));
    if (animal)
      text.lines.push_back({0, 4 + which, 1});
    else
      text.lines.push_back({2, 6 + which, 3});
    for (const int32_t word : text.lines.back()) ++text.counts[static_cast<size_t>(word)];
    text.tokens += 3;
  }
  return text;
}

class Methods : public ::testing::TestWithParam<Method> {};

TEST_P(Methods, WordsOfOneKindBecomeNeighbors) {
  const CountedText text = made_text();
  std::vector<double> losses;
  const WordVectors made = train_word_vectors(
      text, {.method = GetParam(), .width = 8, .window = 2, .subsample = 0, .epochs = 20, .learning_rate = 0.05},
      [&](const VectorProgress& progress) {
        losses.push_back(progress.loss);
        EXPECT_LE(progress.share, 1);
      });
  EXPECT_EQ(made.words(), text.words);
  for (const auto& [word, neighbor] : {std::pair{"dog", "cat"}, {"cat", "dog"}, {"red", "blue"}, {"blue", "red"}}) {
    const int64_t index = made.find(word);
    EXPECT_EQ(nearest(made, made.vector(index), 1, {index}).front().word, neighbor);
  }
  ASSERT_FALSE(losses.empty());
  EXPECT_LT(losses.back(), 6 * std::log(2)) << "below that of vectors of zeros";
}

TEST_P(Methods, AreAFunctionOfTheSeed) {
  const CountedText text = made_text();
  const auto first_value = [&](int64_t seed) {
    return train_word_vectors(text, {.method = GetParam(), .width = 4, .epochs = 1, .seed = seed}).vector(4)[0];
  };
  EXPECT_EQ(first_value(1), first_value(1));
  EXPECT_NE(first_value(1), first_value(2));
}

INSTANTIATE_TEST_SUITE_P(Both, Methods, ::testing::Values(Method::Cbow, Method::SkipGram),
                         [](const auto& method) { return method.param == Method::Cbow ? "cbow" : "skip_gram"; });

TEST_P(Methods, AStepIsTheGradient) {
  // "a a", and no negatives but draws of the true word, which are passed over: with u = 0 the first prediction leaves v
  // and makes u = rate / 2 v; the second adds rate (1 - sigmoid(u . v)) u to v.
  const CountedText text{.words = {"a"}, .counts = {2}, .lines = {{0, 0}}, .tokens = 2};
  NegativeSamplingOptions options{
      .method = GetParam(), .width = 2, .window = 1, .negatives = 1, .subsample = 0, .epochs = 0, .learning_rate = 2};
  const WordVectors before = train_word_vectors(text, options);
  options.epochs = 1;
  const WordVectors after = train_word_vectors(text, options);
  const float x = before.vector(0)[0], y = before.vector(0)[1];
  const float grown = 1 + 2 * (1 - 1 / (1 + std::exp(-(x * x + y * y))));
  EXPECT_NEAR(after.vector(0)[0], grown * x, 1e-6);
  EXPECT_NEAR(after.vector(0)[1], grown * y, 1e-6);
}

TEST(NegativeSampling, EveryWordOfTheMeanTakesTheWholeStep) {
  // "a a a": the second a is predicted from the mean of two words, which are the same and so move twice. u is a
  // multiple of v.
  const CountedText text{.words = {"a"}, .counts = {3}, .lines = {{0, 0, 0}}, .tokens = 3};
  NegativeSamplingOptions options{
      .method = Method::Cbow, .width = 2, .window = 1, .negatives = 1, .subsample = 0, .epochs = 0, .learning_rate = 2};
  const WordVectors before = train_word_vectors(text, options);
  options.epochs = 1;
  const WordVectors after = train_word_vectors(text, options);
  double v = before.vector(0)[0], w = before.vector(0)[1], u = 0;
  for (const int around : {1, 2, 1}) {  // how many words each is predicted from
    const double factor = 2 * (1 - 1 / (1 + std::exp(-u * (v * v + w * w))));
    const double step = factor * u;
    u += factor;
    v *= 1 + around * step;
    w *= 1 + around * step;
    u /= 1 + around * step;
  }
  EXPECT_NEAR(after.vector(0)[0], v, 1e-5);
  EXPECT_NEAR(after.vector(0)[1], w, 1e-5);
}

TEST(NegativeSampling, LittleTextIsNoReasonToRefuseARate) {
  CountedText text{.words = {}, .counts = std::vector<int64_t>(20, 1), .lines = {{}}, .tokens = 20};
  for (int32_t word = 0; word < 20; ++word) {
    text.words.push_back(std::to_string(word));
    text.lines[0].push_back(word);
  }
  for (int64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_NO_THROW(
        train_word_vectors(text, {.method = Method::Cbow, .negatives = 1, .subsample = 0, .epochs = 1, .seed = seed}));
  }
}

TEST(NegativeSampling, RefusesARateThatMakesVectorsGrowWithoutEnd) {
  CountedText text{.words = {"a", "b", "c", "d"}, .counts = {75, 75, 75, 75}, .lines = {}, .tokens = 300};
  for (int32_t i = 0; i < 100; ++i) text.lines.push_back({i % 4, (i + 1) % 4, (i * 7) % 4});
  NegativeSamplingOptions options{.width = 8, .subsample = 0, .epochs = 20, .learning_rate = 10};
  EXPECT_EQ(heed::testing::message_of<ConfigError>([&] { train_word_vectors(text, options); }),
            "`learning-rate` must be smaller: with 10 the vectors grow without end");
  options.learning_rate = 0.05;
  const WordVectors made = train_word_vectors(text, options);
  for (const float value : made.vector(0)) EXPECT_LT(std::abs(value), 10);
}

TEST_P(Methods, WhereNoWordHasAnotherAroundItThereIsNothingToLearn) {
  CountedText text = made_text();
  for (auto& line : text.lines) line.resize(1);
  const std::string message = "there was nothing to learn from: no word of a line has another one around it";
  EXPECT_TRUE(
      testing::message_of<Error>([&] { train_word_vectors(text, {.method = GetParam()}); }).starts_with(message));
}

TEST_P(Methods, LearnLessAndLess) {
  CountedText text;
  text.words = {"first", "words", "fill", "up", "last", "lines"};
  const auto say = [&](int32_t one, int32_t other) {
    text.lines.push_back({});
    for (int i = 0; i < 8; ++i) text.lines.back().push_back(i % 2 == 0 ? one : other);
    text.tokens += 8;
  };
  say(0, 1);
  for (int i = 0; i < 98; ++i) say(2, 3);
  say(4, 5);
  text.counts = {4, 4, 392, 392, 4, 4};
  NegativeSamplingOptions options{.method = GetParam(), .width = 4, .subsample = 0, .epochs = 1, .learning_rate = 0};
  const WordVectors begun = train_word_vectors(text, options);
  options.learning_rate = 0.5;
  const WordVectors made = train_word_vectors(text, options);
  const auto change = [&](int64_t word) {
    double sum = 0;
    for (size_t i = 0; i < 4; ++i) sum += std::abs(made.vector(word)[i] - begun.vector(word)[i]);
    return sum;
  };
  EXPECT_GT(change(0), 1e-3);
  EXPECT_LT(change(4), change(0) / 8) << "at the last of a hundred lines a hundredth of the first rate is left";
}

}  // namespace
}  // namespace heed::vectors
