#include "heed/data/lexicon/translation_table.h"

#include <gtest/gtest.h>

#include <map>

namespace heed::data {
namespace {

using Ids = std::vector<int32_t>;

/// das Haus, das Buch, ein Buch; the house, the book, a book.
enum Source : int32_t { kDas, kHaus, kBuch, kEin, kSourceSize };
enum Target : int32_t { kThe, kHouse, kBook, kA };

TranslationTable learn(int64_t iterations) {
  static const std::vector<std::pair<Ids, Ids>> pairs{
      {{kDas, kHaus}, {kThe, kHouse}}, {{kDas, kBuch}, {kThe, kBook}}, {{kEin, kBuch}, {kA, kBook}}};
  return TranslationTable(
      std::ssize(pairs),
      [](int64_t i) { return TokenPair{pairs[static_cast<size_t>(i)].first, pairs[static_cast<size_t>(i)].second}; },
      kSourceSize, iterations);
}

std::map<int32_t, double> all_of(const TranslationTable& table, int32_t source) {
  std::map<int32_t, double> found;
  for (const auto& [token, probability] : table.best(source, 10)) found[token] = probability;
  return found;
}

TEST(TranslationTable, ItsFirstIterationCountsWhatStandsTogether) {
  // Each target token is divided evenly among the two source tokens and none: 1/3 each. das: the 2/3, house 1/3,
  // book 1/3 of 4/3.
  const TranslationTable table = learn(1);
  const auto das = all_of(table, kDas);
  EXPECT_NEAR(das.at(kThe), 0.5, 1e-6);
  EXPECT_NEAR(das.at(kHouse), 0.25, 1e-6);
  EXPECT_NEAR(das.at(kBook), 0.25, 1e-6);
  EXPECT_FALSE(das.contains(kA));
  EXPECT_NEAR(all_of(table, kHaus).at(kHouse), 0.5, 1e-6);
}

TEST(TranslationTable, ItsSecondIterationIsThatOfThePaper) {
  // After the first: t(the|das) 1/2, t(the|Haus) 1/2, t(the|none) 1/3 (2 of 6). In the first pair `the` goes to das by
  // (1/2) / (4/3) = 3/8, in the second to das by 1/2 / (1/2 + 1/4 + 1/3) = 6/13. `house`: t(house|das) 1/4,
  // t(house|Haus) 1/2, t(house|none) 1/6: das 3/11. `book` in the second: t(book|das) 1/4, t(book|Buch) 1/2,
  // t(book|none) 1/3: das 3/13.
  const double the = 3.0 / 8 + 6.0 / 13, house = 3.0 / 11, book = 3.0 / 13;
  const auto das = all_of(learn(2), kDas);
  EXPECT_NEAR(das.at(kThe), the / (the + house + book), 1e-6);
  EXPECT_NEAR(das.at(kHouse), house / (the + house + book), 1e-6);
  EXPECT_NEAR(das.at(kBook), book / (the + house + book), 1e-6);
}

TEST(TranslationTable, FindsTheTranslationsInTheEnd) {
  const TranslationTable table = learn(50);
  for (const auto& [source, target] :
       std::map<int32_t, int32_t>{{kDas, kThe}, {kHaus, kHouse}, {kBuch, kBook}, {kEin, kA}}) {
    const auto best = table.best(source, 1);
    ASSERT_EQ(best.size(), 1U);
    EXPECT_EQ(best[0].token, target);
  }
}

TEST(TranslationTable, TellsOfEachIterationAndKnowsNothingOfUnseenTokens) {
  std::vector<int64_t> told;
  const Ids source{0}, target{2};
  const TranslationTable table(
      1, [&](int64_t) { return TokenPair{source, target}; }, 3, 2, [&](int64_t i) { told.push_back(i); });
  EXPECT_EQ(told, (std::vector<int64_t>{1, 2}));
  EXPECT_TRUE(table.best(1, 5).empty());
}

TEST(TranslationTable, MemoryOfFrequentTokensIsThatOfTheirDifferentTranslations) {
  // More additions than are kept before they are made unique.
  const Ids source{0};
  std::vector<Ids> targets;
  for (int32_t i = 0; i < 5000; ++i) targets.push_back({i % 7, 7 + i % 11});
  const TranslationTable table(
      std::ssize(targets), [&](int64_t i) { return TokenPair{source, targets[static_cast<size_t>(i)]}; }, 1, 1);
  EXPECT_EQ(table.best(0, 100).size(), 18U);
}

}  // namespace
}  // namespace heed::data
