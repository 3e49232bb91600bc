#include "heed/metrics/alignment_error_rate.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;
using Links = std::set<std::pair<int64_t, int64_t>>;

TEST(AlignmentErrorRate, EqualsAHandComputedRate) {
  // A has 4 links, S 3; 2 of A are sure, 3 possible: 1 - (2 + 3) / (4 + 3).
  const AlignmentErrorRate metric;
  const References gold = References::from_lines({{"0-0 1?1 2-2"}, {"0-1"}});
  const Score score = metric.corpus_score(Texts{"0-0 1-1", "0-1 2-2"}, gold);
  EXPECT_NEAR(score.value, 100 * (1 - 5.0 / 7), 1e-12);
  EXPECT_EQ(metric.line(score, "", 2), "AER = 28.57 (precision = 75.0 recall = 66.7 links = 4 sure = 3)");
}

TEST(AlignmentErrorRate, PerfectAlignmentsHaveNoErrors) {
  EXPECT_EQ(AlignmentErrorRate().sentence_score("1-2 0-0", Texts{"0-0 1-2 5p5"}).value, 0);
  EXPECT_EQ(AlignmentErrorRate().sentence_score("", Texts{""}).value, 0);
  EXPECT_EQ(AlignmentErrorRate().sentence_score("", Texts{"0-0"}).value, 100);
}

TEST(ParseAlignment, SureLinksArePossibleAndRepeatedOnesCountOnce) {
  const AlignmentLinks links = parse_alignment(" 0-1 3?4\t0-1 10p2 3-4");
  EXPECT_EQ(links.sure, (Links{{0, 1}, {3, 4}}));
  EXPECT_EQ(links.possible, (Links{{0, 1}, {3, 4}, {10, 2}}));
}

TEST(ParseAlignment, RefusesWhatIsNoLink) {
  for (const char* text : {"0", "0-", "-1", "0-1-2", "a-1", "0-b", "0:1", "1--2", "99999999999999999999-0"}) {
    EXPECT_THROW(parse_alignment(text), Error) << text;
  }
}

TEST(AlignmentErrorRate, ErrorsNameTheLine) {
  const auto message = [](const std::string& hypothesis, const Texts& gold) -> std::string {
    try {
      AlignmentErrorRate().corpus_score(Texts{"0-0", hypothesis}, References::from_lines({{"0-0"}, gold}));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("x", {"0-0"}), "line 2: expected links such as 0-0, 3?4 or 3p4, found `x`");
  EXPECT_EQ(message("0?0", {"0-0"}),
            "line 2: an alignment to be scored must have links such as 0-0 only, found a possible one");
  EXPECT_EQ(message("0-0", {"0-0", "1-1"}), "line 2: AER takes one gold alignment, found 2");
}

}  // namespace
}  // namespace heed::metrics
