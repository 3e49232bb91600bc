#include "heed/metrics/mean_errors.h"

#include <gtest/gtest.h>

#include "metrics/refused.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

TEST(MeanError, IsTheMeanOverAllNumbers) {
  const References references = References::from_lines({{"1 -2"}, {""}, {"0.5"}});
  const Texts lines{"2 1e0", "", " +.25 "};
  const MeanError squared(Deviation::Squared), absolute(Deviation::Absolute);
  EXPECT_EQ(squared.corpus_score(lines, references).value, (1 + 9 + 0.0625) / 3);
  EXPECT_EQ(absolute.corpus_score(lines, references).value, (1 + 3 + 0.25) / 3);
  EXPECT_EQ(squared.line(squared.corpus_score(lines, references), "", 1), "MSE = 3.3542 (numbers = 3)");
  EXPECT_EQ(absolute.line(absolute.corpus_score(lines, references), "", 6), "MAE = 1.416667 (numbers = 3)");
  EXPECT_EQ(squared.sentence_score("", Texts{""}).value, 0);
}

TEST(MeanError, RefusesWhatIsNoNumber) {
  const MeanError metric(Deviation::Squared);
  EXPECT_EQ(refused(metric, "1", "1 2", {"1"}), "line 2: expected 1 number, found 2");
  EXPECT_EQ(refused(metric, "1", "", {"1 2"}), "line 2: expected 2 numbers, found 0");
  for (const std::string text : {"x", "nan", "inf", "-inf", "1e999", "1,5", "0x1p2", "--1"}) {
    EXPECT_EQ(refused(metric, "1", text, {"1"}), "line 2: expected finite numbers, found `" + text + "`");
  }
  EXPECT_EQ(refused(metric, "1", "1", {"y"}), "line 2: expected finite numbers in the reference, found `y`");
  EXPECT_EQ(refused(metric, "1", "1", {"1", "1"}), "line 2: numbers are compared with one reference, found 2");
  EXPECT_EQ(refused(metric, "1", "1e200", {"0"}), "line 2: the numbers differ by more than can be computed with");
}

}  // namespace
}  // namespace heed::metrics
