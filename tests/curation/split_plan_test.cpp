#include "heed/curation/split_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::curation {
namespace {

std::vector<int64_t> alone(int64_t lines) {
  std::vector<int64_t> groups(static_cast<size_t>(lines));
  std::iota(groups.begin(), groups.end(), int64_t{0});
  return groups;
}

TEST(SplitPlan, SizesAreExactForSinglePairs) {
  SplitPlan plan(alone(1000));
  const auto parts = plan.choose({.valid = 100, .test = 50}, 1);
  EXPECT_EQ(std::ranges::count(parts, Part::Valid), 100);
  EXPECT_EQ(std::ranges::count(parts, Part::Test), 50);
  EXPECT_EQ(SplitPlan(alone(1000)).choose({.valid = 100, .test = 50}, 1), parts);
  EXPECT_NE(SplitPlan(alone(1000)).choose({.valid = 100, .test = 50}, 2), parts);
}

TEST(SplitPlan, NearDuplicatesStayTogether) {
  auto groups = alone(1000);
  for (int64_t line = 0; line < 1000; line += 2) groups[static_cast<size_t>(line + 1)] = line;
  SplitPlan plan(groups);
  const auto parts = plan.choose({.valid = 100, .test = 100}, 1);
  for (size_t line = 0; line < 1000; line += 2) EXPECT_EQ(parts[line], parts[line + 1]) << line;
  EXPECT_EQ(std::ranges::count(parts, Part::Test), 100);
  EXPECT_EQ(plan.groups_of_several(), 500);
}

TEST(SplitPlan, LargeGroupsOfNearDuplicatesStayInTheTrainingText) {
  auto groups = alone(1000);
  std::fill(groups.begin(), groups.begin() + 90, 0);
  for (uint64_t seed = 1; seed < 20; ++seed) {
    const auto parts = SplitPlan(groups).choose({.valid = 100, .test = 100}, seed);
    EXPECT_EQ(parts[0], Part::Train) << seed;
    EXPECT_EQ(std::ranges::count(parts, Part::Test), 100);
  }
}

TEST(SplitPlan, DocumentsStayTogether) {
  auto groups = alone(1000);
  groups[25] = 5;  // nearly equal pairs join their documents
  SplitPlan plan(groups);
  for (int64_t line = 0; line < 1000; ++line) plan.add_document(line, std::to_string(line / 10));
  const auto parts = plan.choose({.valid = 95, .test = 4}, 3);
  for (size_t line = 0; line < 1000; ++line) EXPECT_EQ(parts[line], parts[line / 10 * 10]) << line;
  EXPECT_EQ(parts[0], parts[20]);
  EXPECT_EQ(std::ranges::count(parts, Part::Test), 10) << "no document is as small as 4 pairs";
  EXPECT_EQ(std::ranges::count(parts, Part::Valid), 100) << "5 pairs are missing: one more document";
}

TEST(SplitPlan, TooFewPairsAreAnError) {
  EXPECT_EQ(testing::message_of<Error>([] { SplitPlan(alone(10)).choose({.valid = 5, .test = 5}, 1); }),
            "the text has 10 pairs, which is too few for 10 of validation and test text");
  EXPECT_EQ(
      testing::message_of<Error>([] { SplitPlan(std::vector<int64_t>(10, 0)).choose({.valid = 2, .test = 2}, 1); }),
      "all pairs belong together, as one document or as near-duplicates: nothing is left for the training text");
}

}  // namespace
}  // namespace heed::curation
