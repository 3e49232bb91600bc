#include "heed/metrics/tokenizers/fitting_tokenizer.h"

#include <gtest/gtest.h>

#include <vector>

namespace heed::metrics {
namespace {

using Lines = std::vector<std::string>;

std::string advice(const Lines& lines) { return advice_against_13a(lines, "--tokenize").value_or("none"); }

std::string of(const std::string& language, const std::string& values) {
  return "mostly " + language + ", which the tokenizer 13a cuts at spaces and punctuation only: `--tokenize` " +
         values + " suits it";
}

TEST(FittingTokenizer, IsNamedForTextWithoutSpacesBetweenWords) {
  EXPECT_EQ(advice({"两个男人在修屋顶。"}), of("Chinese", "zh"));
  EXPECT_EQ(advice({"二人の男が屋根を直している。", "東京駅。"}), of("Japanese", "ja-mecab or char"));
  EXPECT_EQ(advice({"東京都庁前駅付近の道"}), of("Japanese", "ja-mecab or char")) << "one kana of ten letters";
  EXPECT_EQ(advice({"ｶﾀｶﾅ"}), of("Japanese", "ja-mecab or char"));
  EXPECT_EQ(advice({"두 남자가 지붕을 고치고 있다."}), of("Korean", "ko-mecab or char"));
  EXPECT_EQ(advice({"他说 hello。", "你好吗？ 123 456 !!!"}), of("Chinese", "zh")) << "digits and marks are no letters";
}

TEST(FittingTokenizer, OthersAreLeftAlone) {
  EXPECT_EQ(advice({}), "none");
  EXPECT_EQ(advice({"", "123"}), "none");
  EXPECT_EQ(advice({"Zwei Männer reparieren das Dach."}), "none");
  EXPECT_EQ(advice({"Двое мужчин чинят крышу."}), "none");
  EXPECT_EQ(advice({"The sign says 你好 to everyone."}), "none");
}

}  // namespace
}  // namespace heed::metrics
