#include "heed/metrics/mteval_tokenizers.h"

#include <gtest/gtest.h>

#include "heed/core/unicode.h"
#include "support/stored_json.h"

namespace heed::metrics {
namespace {

std::vector<std::string> tokens(const std::string& line) {
  std::string tokenized;
  std::string scratch;
  Tokenizer13a().tokenize(line, tokenized, scratch);
  std::vector<std::string> words;
  for (const auto word : split_whitespace(tokenized)) words.emplace_back(word);
  return words;
}

TEST(Tokenizer13a, EqualsSacreBleuOnStoredLines) {
  const auto cases = testing::stored_json("metrics/data/tokenizer_13a.json");
  ASSERT_GT(cases.size(), 300u);
  for (const auto& stored : cases) {
    EXPECT_EQ(tokens(stored.at("line")), stored.at("tokens").get<std::vector<std::string>>()) << stored.at("line");
  }
}

TEST(Tokenizer13a, KeepsPointsBetweenDigitsAndSplitsAHyphenAfterOne) {
  EXPECT_EQ(tokens("1,000.5 - 3.x 10-12 a-b"),
            (std::vector<std::string>{"1,000.5", "-", "3", ".", "x", "10", "-", "12", "a-b"}));
}

TEST(Tokenizer13a, UndoesEntitiesOneAfterTheOther) {
  EXPECT_EQ(tokens("&amp;lt; &apos;"), (std::vector<std::string>{"<", "&", "apos", ";"}));
}

}  // namespace
}  // namespace heed::metrics
