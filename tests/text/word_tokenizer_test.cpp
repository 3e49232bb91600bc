#include "heed/text/word_tokenizer.h"

#include <gtest/gtest.h>

namespace heed::text {
namespace {

using Words = std::vector<int64_t>;

TEST(WordTokenizer, JoinsByOneSpaceWhatStoodBetweenWhiteSpace) {
  const WordTokenizer tokenizer(WordTokenizer::kWordsEnding, {"the", "dog", "."});
  const Ids ids = tokenizer.encode("  the dog\t.\u00a0the ");
  EXPECT_EQ(ids, (Ids{4, 5, 6, 4}));
  EXPECT_EQ(tokenizer.decode(ids), "the dog . the");
  EXPECT_EQ(tokenizer.encode(" "), Ids{});
  EXPECT_EQ(tokenizer.decode(Ids{}), "");
}

TEST(WordTokenizer, UnknownWordsShowAndSpecialIdsVanish) {
  const WordTokenizer tokenizer(WordTokenizer::kWordsEnding, {"dog"});
  EXPECT_EQ(tokenizer.encode("cat <s> <pad> dog"), (Ids{kUnk, kUnk, kUnk, 4}));
  const Ids ids{kBos, 4, kUnk, kEos, kPad};
  EXPECT_EQ(tokenizer.decode(ids), "dog <unk>");
  EXPECT_EQ(tokenizer.words(ids), (Words{-1, 0, 1, -1, -1}));
  EXPECT_EQ(tokenizer.size(), 5);
  EXPECT_EQ(tokenizer.piece(4), "dog");
  EXPECT_FALSE(tokenizer.samples());
}

TEST(WordTokenizer, UndoesTheSeparatorAsSubwordNmtDoes) {
  const WordTokenizer tokenizer(WordTokenizer::kTokensEnding, {"gr@@", "oß", "@@", "b@@@@"}, "@@");
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("gr@@ oß oß gr@@")), "groß oß gr");
  EXPECT_EQ(tokenizer.words(tokenizer.encode("gr@@ oß oß gr@@ gr@@ oß")), (Words{0, 0, 1, 2, 2, 2}));
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("oß @@ oß b@@@@ oß")), "oß oß b@@oß");
}

TEST(WordTokenizer, WordsOfALineAreAsTheyAreWritten) {
  const WordTokenizer tokenizer(WordTokenizer::kTokensEnding, {"do@@", "ctor"}, "@@");
  const LineWords words = tokenizer.line_words("do@@ \u2603@@ ctor x ctor@@");
  EXPECT_EQ(words.words, (std::vector<std::string>{"do\u2603ctor", "x", "ctor"}));
  EXPECT_EQ(words.of_id, (Words{0, 0, 0, 1, 2}));
}

TEST(WordTokenizer, KeepsTheSeparatorUnlessToldToUndoIt) {
  const WordTokenizer tokenizer(WordTokenizer::kTokensEnding, {"gr@@", "oß"});
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("gr@@ oß")), "gr@@ oß");
}

}  // namespace
}  // namespace heed::text
