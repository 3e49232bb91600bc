#include "heed/engine/common/output.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "heed/search/beam_model.h"
#include "support/message_of.h"

namespace heed::engine {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// An output layer whose logits are `logits` for a hidden state of 1, and twice that for 2.
Output output_of(const std::vector<float>& logits) {
  return Output({.numbers = logits, .rows = std::ssize(logits), .columns = 1}, nullptr, Precision::Float32);
}

TopK top_k(const std::vector<float>& logits, const std::vector<float>& hidden, const TopKRules& rules) {
  Rows rows;
  rows.resize(std::ssize(hidden), 1);
  for (int64_t i = 0; i < rows.count(); ++i) rows.row(i)[0] = hidden[static_cast<size_t>(i)];
  Output::Scratch scratch(Precision::Float32);
  TopK best;
  output_of(logits).top_k(rows, rules, scratch, best);
  return best;
}

TEST(Output, FindsTheBestOfALargeVocabulary) {
  RandomStream random(1, Purpose::Test);
  std::vector<float> logits(5003);
  for (float& logit : logits) logit = static_cast<float>(20 * random.uniform() - 10);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
  std::vector<int32_t> order(logits.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
  std::ranges::sort(order, std::greater{}, [&](int32_t i) { return logits[static_cast<size_t>(i)]; });
  const TopK best = top_k(logits, {1, 2}, {.count = 10, .end = 3});
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(best.tokens[i], order[i]);
    EXPECT_EQ(best.tokens[10 + i], order[i]) << "of the second row";
    EXPECT_NEAR(best.log_probabilities[i], static_cast<double>(logits[static_cast<size_t>(order[i])]) - std::log(sum),
                1e-5);
  }
  EXPECT_NEAR(best.of_end[0], static_cast<double>(logits[3]) - std::log(sum), 1e-5);
}

TEST(Output, LogitsThatAreNotNumbersAreAnError) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float hidden : {nan, std::numeric_limits<float>::infinity()}) {
    for (const std::vector<float>& logits : {std::vector<float>{1, 2, 3}, std::vector<float>(100, 1)}) {
      EXPECT_EQ(testing::message_of<Error>([&] { top_k(logits, {hidden}, {.count = 2}); }), search::kNotNumbers);
      Rows rows;
      rows.resize(1, 1);
      rows.row(0)[0] = hidden;
      Output::Scratch scratch(Precision::Float32);
      std::vector<float> found(1);
      const std::vector<int32_t> tokens{1};
      const Output output = output_of(logits);
      EXPECT_EQ(testing::message_of<Error>([&] { output.score(rows, tokens, scratch, found); }), search::kNotNumbers);
      const auto read_rows = [&] { output.for_each_row(rows, scratch, [](int64_t, std::span<float>) {}); };
      EXPECT_EQ(testing::message_of<Error>(read_rows), search::kNotNumbers);
    }
  }
}

TEST(Output, BarredTokensCountForTheSumOnly) {
  const std::vector<float> logits{0, 5, 1, 4, 2, 3};
  const std::vector<int32_t> barred{1, 3};
  const std::vector<uint8_t> without_end{1, 0};
  const TopK best = top_k(logits, {1, 1},
                          {.count = 3,
                           .barred = std::span(barred).first(1),
                           .barred_and_end = barred,
                           .end = 3,
                           .without_end = without_end});
  EXPECT_EQ(best.tokens, (std::vector<int32_t>{5, 4, 2, 3, 5, 4}));
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
  EXPECT_NEAR(best.log_probabilities[0], 3 - std::log(sum), 1e-6);
  EXPECT_NEAR(best.of_end[0], 4 - std::log(sum), 1e-6) << "told where it is barred as well";
}

TEST(Output, EqualsComeInTheOrderOfTheVocabulary) {
  std::vector<float> logits(300, 1);
  logits[200] = 2;
  EXPECT_EQ(top_k(logits, {1}, {.count = 4, .end = 3}).tokens, (std::vector<int32_t>{200, 0, 1, 2}));
}

TEST(Output, HasNothingMoreThanTheVocabulary) {
  const std::vector<int32_t> barred{0};
  const TopK best = top_k({1, 2, 3}, {1}, {.count = 3, .barred = barred, .barred_and_end = barred, .end = 1});
  EXPECT_EQ(std::vector<int32_t>(best.tokens.begin(), best.tokens.begin() + 2), (std::vector<int32_t>{2, 1}));
  EXPECT_EQ(best.log_probabilities[2], kNever);
}

TEST(Output, WhatIsNoNumberIsAnError) {
  EXPECT_THROW(top_k({1, std::nanf(""), 3}, {1}, {.count = 1, .end = 0}), Error);
}

TEST(Output, ScoresGivenTokensAndGivesWholeRows) {
  RandomStream random(2, Purpose::Test);
  std::vector<float> logits(1037);
  double sum = 0;
  for (float& logit : logits) {
    logit = static_cast<float>(4 * random.uniform());
    sum += std::exp(static_cast<double>(logit));
  }
  const Output output = output_of(logits);
  Rows rows;
  rows.resize(2, 1);
  rows.row(0)[0] = rows.row(1)[0] = 1;
  Output::Scratch scratch(Precision::Float32);
  const std::vector<int32_t> tokens{1036, 17};
  std::vector<float> found(2);
  output.score(rows, tokens, scratch, found);
  EXPECT_NEAR(found[0], static_cast<double>(logits[1036]) - std::log(sum), 1e-5);
  EXPECT_NEAR(found[1], static_cast<double>(logits[17]) - std::log(sum), 1e-5);

  std::vector<float> whole(static_cast<size_t>(2 * output.row_size()));
  output.logits(rows, scratch, whole.data());
  for (size_t i = 0; i < logits.size(); ++i) {
    EXPECT_EQ(whole[i], logits[i]);
    EXPECT_EQ(whole[static_cast<size_t>(output.row_size()) + i], logits[i]);
  }
}

TEST(Output, AShortListHoldsAllThatASentenceMayChoose) {
  const std::vector<float> logits{0, 5, 1, 4, 2, 3, 2.5F};
  const std::vector<float> bias{0, 0, 0, 0, 0, 1, 0};
  const Weight weight{.numbers = logits, .rows = 7, .columns = 1}, biases{.numbers = bias, .rows = 1, .columns = 7};
  const Output output(weight, &biases, Precision::Float32);
  Rows rows;
  rows.resize(3, 1);  // of three sentences
  for (int64_t i = 0; i < 3; ++i) rows.row(i)[0] = 1;
  const std::vector<std::vector<int32_t>> lists{{2, 3, 5}, {1, 3, 5, 6}, {0, 3}};
  const std::vector<int32_t> barred{1, 3};
  const std::vector<uint8_t> without_end{0, 1, 0};
  Output::Scratch scratch(Precision::Float32);
  TopK best;
  output.top_k(rows, lists, std::vector<int64_t>{1, 1, 1},
               {.count = 3,
                .barred = std::span(barred).first(1),
                .barred_and_end = barred,
                .end = 3,
                .without_end = without_end},
               scratch, best);
  const auto expect_row = [&](size_t row, const std::vector<int32_t>& tokens, const std::vector<double>& numbers,
                              double sum) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      EXPECT_EQ(best.tokens[row * 3 + i], tokens[i]) << row << ' ' << i;
      EXPECT_NEAR(best.log_probabilities[row * 3 + i], numbers[i] - std::log(sum), 1e-6) << row << ' ' << i;
    }
    for (size_t i = tokens.size(); i < 3; ++i) EXPECT_EQ(best.log_probabilities[row * 3 + i], kNever);
    EXPECT_NEAR(best.of_end[row], 4 - std::log(sum), 1e-6);
  };
  expect_row(0, {3, 5, 2}, {4, 4, 1}, std::exp(1) + 2 * std::exp(4));
  expect_row(1, {5, 6}, {4, 2.5}, std::exp(5) + 2 * std::exp(4) + std::exp(2.5));
  expect_row(2, {3, 0}, {4, 0}, 1 + std::exp(4));
}

}  // namespace
}  // namespace heed::engine
