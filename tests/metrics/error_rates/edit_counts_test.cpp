#include "heed/metrics/error_rates/error_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heed::metrics {
namespace {

using Sequence = std::vector<uint32_t>;

/// Substituted, deleted, inserted.
std::vector<int64_t> edits(const Sequence& hypothesis, const Sequence& reference) {
  const EditCounts counts = EditCounter().count(hypothesis, reference);
  return {counts.substituted, counts.deleted, counts.inserted};
}

/// The recursion of the definition, on the first so many of each.
int64_t distance(const Sequence& a, const Sequence& b, size_t m, size_t n) {
  if (m == 0 || n == 0) return static_cast<int64_t>(m + n);
  if (a[m - 1] == b[n - 1]) return distance(a, b, m - 1, n - 1);
  return 1 + std::min({distance(a, b, m - 1, n - 1), distance(a, b, m - 1, n), distance(a, b, m, n - 1)});
}

TEST(EditCounter, CountsEachKind) {
  using Counts = std::vector<int64_t>;
  EXPECT_EQ(edits({}, {}), (Counts{0, 0, 0}));
  EXPECT_EQ(edits({1, 2, 3}, {1, 2, 3}), (Counts{0, 0, 0}));
  EXPECT_EQ(edits({1, 9, 3}, {1, 2, 3}), (Counts{1, 0, 0}));
  EXPECT_EQ(edits({1, 3}, {1, 2, 3}), (Counts{0, 1, 0}));
  EXPECT_EQ(edits({1, 2, 2, 3}, {1, 2, 3}), (Counts{0, 0, 1}));
  EXPECT_EQ(edits({}, {1, 2}), (Counts{0, 2, 0}));
  EXPECT_EQ(edits({1, 2}, {}), (Counts{0, 0, 2}));
  EXPECT_EQ(edits({2, 3, 4}, {1, 2, 3}), (Counts{0, 1, 1})) << "not three that are substituted";
}

TEST(EditCounter, TheirNumberIsTheSmallest) {
  std::mt19937 random(3);
  const auto draw = [&random] {
    Sequence sequence(random() % 7);
    std::ranges::generate(sequence, [&random] { return static_cast<uint32_t>(random() % 3); });
    return sequence;
  };
  EditCounter counter;
  for (int i = 0; i < 300; ++i) {
    const Sequence hypothesis = draw(), reference = draw();
    const EditCounts found = counter.count(hypothesis, reference);
    EXPECT_EQ(found.total(), distance(hypothesis, reference, hypothesis.size(), reference.size()));
    EXPECT_EQ(found.inserted - found.deleted, std::ssize(hypothesis) - std::ssize(reference));
    EXPECT_GE(std::min({found.substituted, found.deleted, found.inserted}), 0);
  }
}

}  // namespace
}  // namespace heed::metrics
