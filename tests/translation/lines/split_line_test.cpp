#include "heed/translation/lines/split_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "heed/text/character_tokenizer.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

/// Characters as tokens: a part's text is the text of its ids.
const text::Tokenizer& characters() {
  static const text::CharacterTokenizer tokenizer([] {
    std::vector<std::string> entries;
    for (char c = ' '; c < 127; ++c) entries.emplace_back(1, c);
    for (const char* c : {"。", "，", "！", "「", "」", "）", "猫", "狗", "é"}) entries.emplace_back(c);
    return entries;
  }());
  return tokenizer;
}

using Texts = std::vector<std::string>;

Texts split(std::string_view line, int64_t max_tokens) {
  Texts texts;
  for (const LinePart& part : split_line(line, characters(), max_tokens)) {
    EXPECT_LE(part.ids.size(), static_cast<size_t>(max_tokens));
    texts.emplace_back(part.space_before ? "_" : "").append(characters().decode(part.ids));
  }
  return texts;
}

TEST(SplitLine, AShortLineStaysWhole) {
  EXPECT_EQ(split("A cat. A dog.", 13), Texts{"A cat. A dog."});
  EXPECT_FALSE(split_line("A cat.", characters(), 13).at(0).space_before);
}

TEST(SplitLine, ABlankLineHasNoPart) {
  EXPECT_EQ(split("", 8), Texts{});
  EXPECT_EQ(split(" \t ", 8), Texts{});
  EXPECT_EQ(split("                    ", 8), Texts{});
}

TEST(SplitLine, CutsBehindASentence) {
  EXPECT_EQ(split("It was a cat. It was so, or not.", 25), (Texts{"It was a cat.", "_It was so, or not."}));
  EXPECT_EQ(split("He said \"a cat!\" It was not so.", 25), (Texts{"He said \"a cat!\"", "_It was not so."}));
  EXPECT_EQ(split("猫猫猫猫。狗，狗狗", 8), (Texts{"猫猫猫猫。", "狗，狗狗"}));
}

TEST(SplitLine, AClosingQuoteOrBracketStaysWithItsSentence) {
  EXPECT_EQ(split("「猫猫。」狗狗狗狗", 8), (Texts{"「猫猫。」", "狗狗狗狗"}));
  EXPECT_EQ(split("猫猫猫！）」狗狗狗狗", 8), (Texts{"猫猫猫！）」", "狗狗狗狗"}));
  EXPECT_EQ(split("猫猫猫，」狗狗狗狗", 8), (Texts{"猫猫猫，」", "狗狗狗狗"}));
  EXPECT_EQ(split("猫猫猫猫。「狗狗狗", 8), (Texts{"猫猫猫猫。", "「狗狗狗"})) << "an opening one with the next";
}

TEST(SplitLine, ElseBehindAClause) {
  EXPECT_EQ(split("It was no cat, they said to me", 25), (Texts{"It was no cat,", "_they said to me"}));
}

TEST(SplitLine, ElseAtWhiteSpaceNearestToTheMiddle) {
  EXPECT_EQ(split("one two three four five", 16), (Texts{"one two three", "_four five"}));
}

TEST(SplitLine, ElseAnywhere) {
  EXPECT_EQ(split("abcdefghijklmnop", 8), (Texts{"abcdefgh", "ijklmnop"}));
  EXPECT_EQ(split("éééééééééé", 8), (Texts{"ééééé", "ééééé"}));
}

TEST(SplitLine, PunctuationInsideANumberIsNoEnd) {
  EXPECT_EQ(split("it cost 3.50 or 4.75 euros", 20), (Texts{"it cost 3.50", "_or 4.75 euros"}));
}

TEST(SplitLine, ManyPartsKeepAllText) {
  std::string line;
  for (int i = 0; i < 500; ++i) line.append("w").append(std::to_string(i % 7)).append(i % 11 == 10 ? ". " : " ");
  const auto tokenizer = text::numbered_words(7, {"w0.", "w1.", "w2.", "w3.", "w4.", "w5.", "w6."});
  text::Ids joined;
  const auto parts = split_line(line, *tokenizer, 16);
  EXPECT_GE(parts.size(), 32U);
  for (const LinePart& part : parts) {
    EXPECT_LE(part.ids.size(), 16U);
    joined.insert(joined.end(), part.ids.begin(), part.ids.end());
  }
  EXPECT_EQ(joined, tokenizer->encode(line));
}

/// Counts what it encodes.
class CountingTokenizer : public text::CharacterTokenizer {
 public:
  CountingTokenizer() : text::CharacterTokenizer({"a"}) {}
  text::Ids encode(std::string_view line) const override {
    bytes += line.size();
    longest = std::max(longest, line.size());
    return text::CharacterTokenizer::encode(line);
  }
  mutable size_t bytes = 0;
  mutable size_t longest = 0;
};

TEST(SplitLine, AnEndlessLineIsNotEncodedAsAWhole) {
  const CountingTokenizer tokenizer;
  const std::string line(1 << 16, 'a');
  EXPECT_EQ(split_line(line, tokenizer, 16).size(), 1U << 12);
  EXPECT_LE(tokenizer.longest, static_cast<size_t>(kAlwaysCounted));
  EXPECT_LE(tokenizer.bytes, 5 * line.size()) << "not once more for each time that it is cut";
  tokenizer.bytes = 0;
  split_line(line, tokenizer, Splitting{.rule = SplitRule::Auto, .max_tokens = 256, .usual_tokens = 40});
  EXPECT_LE(tokenizer.bytes, 5 * line.size()) << "nor for each rule";
}

TEST(SplitLine, FewTokensOfManyCharactersAreNotCut) {
  const std::string word(1000, 'x');
  const auto tokenizer = text::numbered_words(0, {word});
  EXPECT_EQ(split_line(word + " " + word, *tokenizer, 2).size(), 1U);
}

/// Four tokens for each character, as of bytes.
class ByteTokenizer : public text::CharacterTokenizer {
 public:
  ByteTokenizer() : text::CharacterTokenizer({"a"}) {}
  text::Ids encode(std::string_view line) const override {
    text::Ids ids;
    for (const int32_t id : text::CharacterTokenizer::encode(line)) ids.insert(ids.end(), 4, id);
    return ids;
  }
};

TEST(SplitLine, ACharacterOfMoreTokensIsNotLeftWhole) {
  const auto parts = split_line("aa", ByteTokenizer(), 3);
  ASSERT_EQ(parts.size(), 2U);
  for (const LinePart& part : parts) {
    EXPECT_EQ(part.ids.size(), 3U);
    EXPECT_TRUE(part.incomplete);
  }
  EXPECT_FALSE(split_line("aa", ByteTokenizer(), 4).at(0).incomplete);
}

Texts split(std::string_view line, const Splitting& splitting) {
  Texts texts;
  for (const LinePart& part : split_line(line, characters(), splitting)) {
    texts.emplace_back(part.space_before ? "_" : "").append(characters().decode(part.ids));
  }
  return texts;
}

TEST(Splitting, IntoSentencesWhateverTheirLength) {
  const Splitting sentences{.rule = SplitRule::Sentences, .max_tokens = 100};
  EXPECT_EQ(split("A cat. A dog! So.", sentences), (Texts{"A cat.", "_A dog!", "_So."}));
  EXPECT_EQ(split("a cat . a dog .", sentences), (Texts{"a cat .", "_a dog ."}));
  EXPECT_EQ(split("猫。狗。", sentences), (Texts{"猫。", "狗。"}));
  EXPECT_EQ(split(" A cat, a dog", sentences), Texts{" A cat, a dog"}) << "as it is";
  EXPECT_EQ(split(" ", sentences), Texts{});
  EXPECT_EQ(split("It was a cat, they said to me. So.", {.rule = SplitRule::Sentences, .max_tokens = 16}),
            (Texts{"It was a cat,", "_they said to me.", "_So."}))
      << "a sentence that is too long is cut";
}

TEST(Splitting, OfUnusualLengthsAlone) {
  const Splitting usual{.rule = SplitRule::Auto, .max_tokens = 100, .usual_tokens = 18};
  EXPECT_EQ(split("A cat. A dog! So.", usual), Texts{"A cat. A dog! So."});
  EXPECT_EQ(split("A cat. A dog! So. No.", usual), (Texts{"A cat.", "_A dog!", "_So.", "_No."}));
  EXPECT_EQ(split("It was so, they said to me", usual), (Texts{"It was so,", "_they said to me"})) << "behind a clause";
  EXPECT_EQ(split("it was so they said to me", usual), Texts{"it was so they said to me"}) << "no place to cut";
  EXPECT_EQ(split("one two three four five six seven eight nine", usual),
            (Texts{"one two three four five", "_six seven eight nine"}))
      << "twice as long";
}

TEST(Splitting, WhereNothingIsKnownIsThatOfLinesTooLong) {
  const Splitting unknown{.rule = SplitRule::Auto, .max_tokens = 16};
  for (const std::string_view line : {"A cat. So.", "A cat. A dog! So. No. It was so, they said"}) {
    EXPECT_EQ(split(line, unknown), split(line, 16));
    EXPECT_EQ(split(line, Splitting{.rule = SplitRule::None, .max_tokens = 16, .usual_tokens = 4}), split(line, 16));
  }
}

}  // namespace
}  // namespace heed::translation
