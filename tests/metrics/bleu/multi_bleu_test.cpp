#include "heed/metrics/bleu/multi_bleu.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/stored_json.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

std::string line(const MosesBleuOptions& options, const Texts& hypotheses, const std::vector<Texts>& references) {
  const MultiBleu bleu(options);
  return bleu.line(bleu.corpus_score(hypotheses, References::from_lines(references)), "", 1);
}

TEST(MultiBleu, LinesAreThoseOfTheScript) {
  const auto stored = testing::stored_json("metrics/data/multi_bleu.json");
  ASSERT_GT(stored.size(), 20u);
  for (const auto& corpus : stored) {
    EXPECT_EQ(line({.lowercase = corpus.at("lowercase")}, corpus.at("hypotheses").get<Texts>(),
                   corpus.at("references").get<std::vector<Texts>>()),
              corpus.at("line").get<std::string>())
        << corpus;
  }
}

TEST(MultiBleu, EqualsAHandComputedScore) {
  // 5 of 6 words, 3 of 5 bigrams, 2 of 4 trigrams, 1 of 3 four-grams; one word short of 7.
  EXPECT_NEAR(MultiBleu().sentence_score("the cat sat on a mat", Texts{"the cat sat on the red mat"}).value,
              100 * std::exp(1 - 7.0 / 6) * std::pow(5.0 / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25), 1e-12);
}

TEST(MultiBleu, OnlyAsciiIsLoweredAndOnlyAsciiSpaceSeparates) {
  const MultiBleu bleu({.lowercase = true});
  const auto statistics = bleu.extract(Texts{"A Ä\tb\u00a0c"}, References::from_lines({{"a ä b\u00a0c"}}));
  EXPECT_EQ(statistics.row(0)[0], 3);
  EXPECT_EQ(statistics.row(0)[2], 2);
}

TEST(MultiBleu, NothingIsSmoothed) { EXPECT_EQ(MultiBleu().sentence_score("a b c", Texts{"a b c"}).value, 0); }

TEST(MultiBleu, EmptyTextsScoreZero) {
  EXPECT_EQ(line({}, {""}, {{""}}), "BLEU = 0, 0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)");
  EXPECT_EQ(line({}, {""}, {{"a b"}}), "BLEU = 0.00, 0.0/0.0/0.0/0.0 (BP=0.000, ratio=0.000, hyp_len=0, ref_len=2)");
}

}  // namespace
}  // namespace heed::metrics
