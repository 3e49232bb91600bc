#include "heed/text/alignment.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "heed/text/character_tokenizer.h"
#include "support/tiny_tokenizer.h"

namespace heed::text {
namespace {

using Names = std::vector<std::string>;
using Indices = std::vector<int64_t>;

const Alignment kAlignment{
    .source = {"a", "b", "c"}, .target = {"x", "y"}, .weights = {{0.1F, 0.2F, 0.6F}, {0.5F, 0.3F, 0.1F}}};

TEST(Alignment, LinksEachTargetWordToTheSourceWordItLooksAtMost) {
  EXPECT_EQ(kAlignment.links(), (std::vector<Link>{{0, 1}, {2, 0}}));
}

TEST(Alignment, LinksEveryPairFromTheThresholdOn) {
  EXPECT_EQ(kAlignment.links(0.25), (std::vector<Link>{{0, 1}, {1, 1}, {2, 0}}));
  EXPECT_EQ(kAlignment.links(0.5), (std::vector<Link>{{0, 1}, {2, 0}})) << "0.5 itself counts";
  EXPECT_TRUE(kAlignment.links(0.7).empty());
}

TEST(Alignment, AWordThatLooksAtNoneIsNotLinked) {
  EXPECT_EQ((Alignment{.source = {"a", "b"}, .target = {"x", "y"}, .weights = {{0, 0}, {0, 1}}}).links(),
            (std::vector<Link>{{1, 1}}));
}

TEST(Alignment, OfTwoEqualWeightsTheFirstIsLinked) {
  EXPECT_EQ((Alignment{.source = {"a", "b"}, .target = {"x"}, .weights = {{0.5F, 0.5F}}}).links(),
            (std::vector<Link>{{0, 0}}));
}

TEST(Alignment, WithoutSourceThereIsNoLink) {
  EXPECT_TRUE((Alignment{.source = {}, .target = {"x"}, .weights = {{}}}).links().empty());
}

TEST(Merged, AddsTheSourcePiecesOfAWordAndAveragesTheTargetPieces) {
  const AlignmentUnits source{.names = {"ab", "c"}, .of_token = {0, 0, 1}};
  const AlignmentUnits target{.names = {"xy", "z"}, .of_token = {0, 0, 1}};
  // The last column and row are the end-of-sentence marks'.
  const AlignmentWeights tokens{{0.5F, 0.25F, 0.125F, 0.125F}, {0.25F, 0, 0.5F, 0.25F}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  EXPECT_EQ(merged(tokens, source, target), (AlignmentWeights{{0.5F, 0.3125F}, {0, 1}}));
}

TEST(Merged, ATokenOfNoWordIsLeftOut) {
  const AlignmentUnits source{.names = {"a"}, .of_token = {-1, 0}};
  const AlignmentUnits target{.names = {"x"}, .of_token = {0, -1}};
  EXPECT_EQ(merged({{0.25F, 0.75F}, {1, 1}}, source, target), (AlignmentWeights{{0.75F}}));
}

TEST(Merged, NeedsAWeightForEveryToken) {
  const AlignmentUnits one{.names = {"a"}, .of_token = {0}};
  EXPECT_THROW(merged({}, one, one), std::logic_error);
  EXPECT_THROW(merged({{}}, one, one), std::logic_error);
}

TEST(AlignmentUnits, PartsOfALineAreCountedOn) {
  AlignmentUnits units{.names = {"a", "b"}, .of_token = {0, 1}};
  units.append({.names = {"c"}, .of_token = {0, -1}}, /*space_between=*/true);
  units.append({.names = {"d", "e"}, .of_token = {0, 0, 1}}, /*space_between=*/false);
  EXPECT_EQ(units.names, (Names{"a", "b", "cd", "e"}));
  EXPECT_EQ(units.of_token, (Indices{0, 1, 2, -1, 2, 2, 3}));
}

TEST(AlignmentUnits, APartWithoutWordsJoinsNothing) {
  AlignmentUnits units;
  units.append({.names = {}, .of_token = {-1}}, false);
  units.append({.names = {"a"}, .of_token = {0}}, false);
  units.append({.names = {}, .of_token = {}}, false);
  EXPECT_EQ(units.names, (Names{"a"}));
  EXPECT_EQ(units.of_token, (Indices{-1, 0}));
}

TEST(AlignmentUnits, AnUnknownWordKeepsItsName) {
  const auto tokenizer = numbered_words(2);
  const AlignmentUnits units = line_units(*tokenizer, "w1  strange w0");
  EXPECT_EQ(units.names, (Names{"w1", "strange", "w0"}));
  EXPECT_EQ(units.of_token, (Indices{0, 1, 2}));
}

TEST(AlignmentUnits, WordsOfATranslationAreThoseOfItsText) {
  const CharacterTokenizer tokenizer({"a", "b", " "});
  const AlignmentUnits units = word_units(tokenizer, tokenizer.encode("ab a"));
  EXPECT_EQ(units.names, (Names{"ab", "a"}));
  EXPECT_EQ(units.of_token, (Indices{0, 0, 1, 1}));
}

TEST(AlignmentUnits, TokensStandForThemselves) {
  const CharacterTokenizer tokenizer({"a", "b", " "});
  const AlignmentUnits units = token_units(tokenizer, tokenizer.encode("a b"));
  EXPECT_EQ(units.names, (Names{"a", "▁", "b"}));
  EXPECT_EQ(units.of_token, (Indices{0, 1, 2}));
}

}  // namespace
}  // namespace heed::text
