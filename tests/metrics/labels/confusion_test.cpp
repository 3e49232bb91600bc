#include "heed/metrics/labels/confusion.h"

#include <gtest/gtest.h>

#include "heed/metrics/metric.h"
#include "metrics/labels/stored_labels.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

TEST(Confusion, CountsWhatIsTakenForWhat) {
  const Confusion confusion(Texts{"b c", "b a", "a"}, References::from_lines({{"a a"}, {"b b"}, {"a"}}));
  EXPECT_EQ(confusion.classes(), (Texts{"a", "b", "c"}));
  EXPECT_EQ(confusion.count(0, 0), 1);
  EXPECT_EQ(confusion.count(0, 1), 1);
  EXPECT_EQ(confusion.count(1, 2), 0);
  EXPECT_EQ(confusion.matches(2).found, 1);
  EXPECT_EQ(confusion.matches(2).gold, 0);
}

TEST(Confusion, OfStoredLabelsIsThatOfScikitLearn) {
  for (const StoredLabels& stored : stored_labels("classes")) {
    const Confusion confusion(stored.found, stored.references());
    ASSERT_EQ(confusion.classes(), stored.values.at("classes").get<Texts>());
    for (size_t gold = 0; gold < confusion.classes().size(); ++gold) {
      const Matches matches = confusion.matches(gold);
      EXPECT_EQ(matches.precision(), 100 * stored.values.at("precision")[gold].get<double>());
      EXPECT_EQ(matches.recall(), 100 * stored.values.at("recall")[gold].get<double>());
      EXPECT_NEAR(matches.f1(), 100 * stored.values.at("f1")[gold].get<double>(), 1e-12);
      EXPECT_EQ(matches.gold, stored.values.at("support")[gold].get<double>());
      for (size_t found = 0; found < confusion.classes().size(); ++found) {
        EXPECT_EQ(confusion.count(gold, found), stored.values.at("matrix")[gold][found].get<int64_t>());
      }
    }
  }
}

TEST(Confusion, MistakesBeginWithTheMostFrequent) {
  const Confusion confusion(Texts{"b c a a b", "c"}, References::from_lines({{"a b b c b"}, {"b"}}));
  std::vector<std::vector<int64_t>> mistakes;
  for (const auto& [gold, found, count] : confusion.mistakes()) {
    mistakes.push_back({static_cast<int64_t>(gold), static_cast<int64_t>(found), count});
  }
  EXPECT_EQ(mistakes, (std::vector<std::vector<int64_t>>{{1, 2, 2}, {0, 1, 1}, {1, 0, 1}, {2, 0, 1}}));
}

TEST(Confusion, NamesALineWithAnotherNumberOfLabels) {
  try {
    Confusion(Texts{"a", "a b"}, References::from_lines({{"a"}, {"a"}}));
    FAIL();
  } catch (const LineError& error) {
    EXPECT_STREQ(error.what(), "line 2: expected 1 label, found 2");
    EXPECT_EQ(error.line(), 2);
    EXPECT_EQ(error.reason(), "expected 1 label, found 2");
  }
}

}  // namespace
}  // namespace heed::metrics
