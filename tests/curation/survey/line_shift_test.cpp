#include "heed/curation/survey/line_shift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "curation/made_text.h"

namespace heed::curation {
namespace {

using Shifts = std::vector<LineShift>;

constexpr int64_t kNear = 25;  // the lines of this text have similar lengths

/// The shifts of a text of which change() has changed one side.
Shifts found(int64_t pairs,
             const std::function<void(std::vector<std::string>& source, std::vector<std::string>& target)>& change) {
  std::vector<std::string> source, target;
  for (const auto& [english, german] : made_text(pairs)) {
    source.push_back(english);
    target.push_back(german);
  }
  change(source, target);
  LineShiftFinder finder;
  for (size_t i = 0; i < std::min(source.size(), target.size()); ++i) {
    finder.add(static_cast<int64_t>(i) + 1, std::ssize(source[i]), std::ssize(target[i]));
  }
  finder.finish();
  return finder.shifts();
}

TEST(LineShift, IsNotFoundInTextThatFits) {
  EXPECT_EQ(found(5000, [](auto&, auto&) {}), Shifts{});
  EXPECT_EQ(found(500, [](auto&, auto& target) { target.assign(500, "always the same"); }), Shifts{});
  EXPECT_EQ(found(500, [](auto& source, auto&) { std::ranges::reverse(source); }), Shifts{}) << "nothing fits";
}

TEST(LineShift, IsFoundWhereALineIsMissingOrDoubled) {
  for (const int64_t line : {1, 120, 777, 3000}) {
    const Shifts missing = found(5000, [&](auto&, auto& target) { target.erase(target.begin() + line - 1); });
    ASSERT_EQ(missing.size(), 1U) << line;
    EXPECT_EQ(missing[0].offset, -1);
    EXPECT_LE(std::abs(missing[0].line - line), kNear) << line;
    const Shifts doubled =
        found(5000, [&](auto&, auto& target) { target.insert(target.begin() + line, 2, target[5]); });
    ASSERT_EQ(doubled.size(), 1U) << line;
    EXPECT_EQ(doubled[0].offset, 2);
    EXPECT_LE(std::abs(doubled[0].line - line), kNear) << line;
  }
}

TEST(LineShift, EndsWhereTheLinesFitAgain) {
  const Shifts shifts = found(2000, [](auto& source, auto& target) {
    source.erase(source.begin() + 499);
    target.erase(target.begin() + 1499);
  });
  ASSERT_EQ(shifts.size(), 2U);
  EXPECT_EQ(shifts[0].offset, 1);
  EXPECT_LE(std::abs(shifts[0].line - 500), kNear);
  EXPECT_EQ(shifts[1].offset, 0);
  EXPECT_LE(std::abs(shifts[1].line - 1500), kNear);
}

TEST(LineShift, IsFoundInAShortText) {
  EXPECT_EQ(found(200, [](auto& source, auto&) { source.erase(source.begin()); }), (Shifts{{.line = 1, .offset = 1}}));
}

}  // namespace
}  // namespace heed::curation
