#include "heed/metrics/token_metrics.h"

#include <gtest/gtest.h>

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

TEST(LengthRatio, DividesTokensByThoseOfTheClosestReference) {
  const LengthRatio ratio;
  const References references = References::from_lines({{"a b", "a b c d", "a"}, {"x y"}});
  const Score score = ratio.corpus_score(Texts{"a b c", "x"}, references);
  EXPECT_EQ(score.value, 1);  // 4 tokens; 2 (the shorter of two as close) and 2
  EXPECT_EQ(ratio.line(score, "", 1), "length ratio = 1.000 (hyp_len = 4 ref_len = 4)");
  EXPECT_EQ(ratio.sentence_score("a", Texts{""}).value, 0);
}

TEST(TokenAccuracy, CountsTokensInTheirPlaces) {
  const TokenAccuracy accuracy;
  const Score score = accuracy.corpus_score(Texts{"a b c", "x y"}, References::from_lines({{"a c b", "z b c"}, {"x"}}));
  EXPECT_EQ(score.value, 60);  // 2 of 3 by the second reference, 1 of 2
  EXPECT_EQ(accuracy.line(score, "", 1), "token accuracy = 60.0 (right = 3 tokens = 5)");
  EXPECT_EQ(accuracy.sentence_score("", Texts{"a"}).value, 0);
}

}  // namespace
}  // namespace heed::metrics
