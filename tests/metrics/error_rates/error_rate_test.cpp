#include "heed/metrics/error_rates/error_rate.h"

#include <gtest/gtest.h>

#include "support/stored_json.h"

namespace heed::metrics {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

TEST(ErrorRate, DividesTheEditsByTheWordsOfTheReference) {
  const ErrorRate wer(ErrorUnit::Words);
  const References references = References::from_lines({{"the cat sat on the mat"}, {"why"}});
  const Score score = wer.corpus_score(Texts{"the cat sat on mat", "Why not ?"}, references);
  EXPECT_EQ(score.value, 100 * (4.0 / 7));
  EXPECT_EQ(wer.line(score, "", 2), "WER = 57.14 (substituted = 1 deleted = 1 inserted = 2 words = 7)");
}

TEST(ErrorRate, OfCharactersCountsCodePointsAndSpacesWithin) {
  const ErrorRate cer(ErrorUnit::Characters);
  const Score score = cer.corpus_score(Texts{" Grösse  你 "}, References::from_lines({{"Größe 你好"}}));
  // ss for ß, a second space, and a character that is missing.
  EXPECT_EQ(score.value, 100 * (4.0 / 8));
  EXPECT_EQ(cer.line(score, ""), "CER = 50.0 (substituted = 1 deleted = 1 inserted = 2 characters = 8)");
}

TEST(ErrorRate, OfStoredCorporaIsThatOfJiwer) {
  const Json cases = testing::stored_json("metrics/data/error_rates.json");
  ASSERT_GT(cases.size(), 50u);
  for (const Json& stored : cases) {
    SCOPED_TRACE(stored.dump());
    const auto references = References::from_files({stored.at("references").get<Texts>()});
    for (const ErrorUnit unit : {ErrorUnit::Words, ErrorUnit::Characters}) {
      const ErrorRate metric(unit);
      const std::vector<double> sums = metric.extract(stored.at("hypotheses").get<Texts>(), references).sums();
      const Json& expected = stored.at(metric.name());
      EXPECT_EQ(metric.score(sums).value, 100 * expected.at("rate").get<double>());
      EXPECT_EQ(std::vector(sums.begin(), sums.begin() + 3), expected.at("edits").get<std::vector<double>>());
    }
  }
}

TEST(ErrorRate, WithoutReferenceWordsIsWhatWasInserted) {
  const ErrorRate wer(ErrorUnit::Words);
  EXPECT_EQ(wer.sentence_score("a b c", Texts{" "}).value, 300);
  EXPECT_EQ(wer.sentence_score("", Texts{""}).value, 0);
}

TEST(ErrorRate, TakesTheReferenceOfTheLowestRate) {
  const ErrorRate wer(ErrorUnit::Words);
  // 1 of 2, 1 of 4, 2 of 8.
  const Score score = wer.sentence_score("a b c d", Texts{"a x", "a b c x", "a b c d e f g h"});
  EXPECT_EQ(wer.line(score, ""), "WER = 25.0 (substituted = 1 deleted = 0 inserted = 0 words = 4)");
  EXPECT_EQ(wer.sentence_score("a", Texts{"", "b"}).value, 100) << "both 1; the first has no words";
  EXPECT_EQ(wer.line(wer.sentence_score("a b", Texts{"a x", "a b c d"}), ""),
            "WER = 50.0 (substituted = 1 deleted = 0 inserted = 0 words = 2)")
      << "the first of two as low";
}

TEST(SplitTranscript, ALoneTabJoinsWordsAsInJiwer) {
  std::vector<std::string_view> words;
  split_transcript("\ta\tb  c\u00a0d \u2003e\t\tf g ", words);
  EXPECT_EQ(Texts(words.begin(), words.end()), (Texts{"a\tb", "c\u00a0d", "e", "f", "g"}));
}

}  // namespace
}  // namespace heed::metrics
