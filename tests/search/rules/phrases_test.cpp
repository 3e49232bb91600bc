#include "heed/search/phrases.h"

#include <gtest/gtest.h>

#include "heed/text/character_tokenizer.h"
#include "heed/text/word_tokenizer.h"

namespace heed::search {
namespace {

using text::Ids;
using Phrases = std::vector<RequiredPhrase>;

TEST(PhraseProgress, CountsThePhraseUnderWayAndThoseMet) {
  const Phrases required{{4, 5, 6}, {7}};
  PhraseProgress progress(required);
  EXPECT_EQ(progress.tokens_met(), 0);
  EXPECT_EQ(progress.tokens_left(), 4);
  EXPECT_EQ(progress.next(), (Ids{4, 7}));
  progress.advance(4);
  progress.advance(5);
  EXPECT_EQ(progress.tokens_met(), 2);
  EXPECT_EQ(progress.next(), (Ids{6, 7}));
  progress.advance(7);
  EXPECT_EQ(progress.tokens_met(), 1) << "the phrase that was left is lost";
  EXPECT_EQ(progress.next(), (Ids{4}));
  for (const int32_t token : {4, 5, 6}) progress.advance(token);
  EXPECT_TRUE(progress.all_met());
  EXPECT_EQ(progress.tokens_left(), 0);
  EXPECT_EQ(progress.next(), Ids{});
}

TEST(PhraseProgress, WithinTheRoomNothingMayBeLost) {
  const Phrases required{{4, 5, 6}, {7}};
  const PhraseProgress progress(required, Ids{4, 5});  // 6 and 7 are left
  EXPECT_EQ(progress.next_within(2), Ids{6});
  EXPECT_EQ(progress.next_within(3), Ids{6});
  EXPECT_EQ(progress.next_within(4), (Ids{4, 6, 7})) << "three tokens after 4 or 7";
  EXPECT_FALSE(progress.may_wait(4));
  EXPECT_TRUE(progress.may_wait(5)) << "another token, then all four";
}

TEST(PhraseProgress, AFalseStartMayBeTheBeginOfAnother) {
  const Phrases required{{4, 4, 5}};
  EXPECT_TRUE(PhraseProgress(required, Ids{4, 4, 4, 5}).all_met());
  const Phrases longer{{4, 5, 4, 5, 6}};
  EXPECT_TRUE(PhraseProgress(longer, Ids{4, 5, 4, 5, 4, 5, 6}).all_met());
  EXPECT_EQ(PhraseProgress(longer, Ids{4, 5, 4, 5, 4}).tokens_met(), 3);
}

TEST(PhraseProgress, PhrasesMayOverlap) {
  const Phrases required{{4, 5}, {5, 6}};
  EXPECT_TRUE(PhraseProgress(required, Ids{4, 5, 6}).all_met());
}

TEST(PhraseProgress, WhatIsRequiredTwiceStandsThereTwice) {
  const Phrases required{{4, 4}, {4, 4}};
  EXPECT_FALSE(PhraseProgress(required, Ids{4, 4}).all_met());
  EXPECT_FALSE(PhraseProgress(required, Ids{4, 4, 4}).all_met()) << "beside each other, not over each other";
  EXPECT_TRUE(PhraseProgress(required, Ids{4, 4, 4, 4}).all_met());
  EXPECT_TRUE(PhraseProgress(required, Ids{4, 4, 5, 4, 4}).all_met());
  Phrases of_two_places = required;
  of_two_places[1].source = {.begin = 3, .end = 4};
  EXPECT_FALSE(PhraseProgress(of_two_places, Ids{4, 4}).all_met());
}

TEST(PhraseProgress, KnowsHowLikelyEachPhraseIs) {
  const SentenceConstraints constraints{
      .prefix = {9}, .tag = 1, .required = {{4, 5}, std::vector<Ids>{{6}, {6, 7, 8}}, {4, 5}}};
  const std::vector<float> log_probabilities{-9, -1, -3, -8, -2, -5};
  EXPECT_EQ(required_log_probabilities(constraints, Ids{9, 4, 5, 9, 6}, log_probabilities),
            (std::vector<float>{-2, -2}))
      << "the mean of 4 5, then 6; the second 4 5 is missing";
  EXPECT_EQ(required_log_probabilities(constraints, Ids{9}, log_probabilities), std::vector<float>{});
}

/// Characters H, a, u, s and the space are 4 to 8; "Haus" with the space before it or not.
class PhrasesOfCharacters : public ::testing::Test {
 protected:
  PhraseProgress progress_behind(const Ids& hypothesis) const { return {required_, hypothesis, &texts_}; }

 private:
  text::TokenTexts texts_{text::CharacterTokenizer({"H", "a", "u", "s", " "})};
  Phrases required_{std::vector<Ids>{{4, 5, 6, 7}, {8, 4, 5, 6, 7}}};
};

TEST_F(PhrasesOfCharacters, BeginAtTheBeginOfAWord) {
  EXPECT_EQ(progress_behind({}).next(), (Ids{4, 8}));
  EXPECT_EQ(progress_behind({5}).next(), Ids{8}) << "behind a letter the space goes before";
  EXPECT_EQ(progress_behind({5, 8}).next(), Ids{4});
  EXPECT_EQ(progress_behind({5, 8, 4}).next(), Ids{5});
  EXPECT_FALSE(progress_behind({5, 4, 5, 6, 7}).all_met()) << "aHaus";
  EXPECT_TRUE(progress_behind({5, 8, 4, 5, 6, 7}).all_met());
  EXPECT_EQ(progress_behind({4}).tokens_met(), 2) << "one token of five, and no space needed";
}

TEST_F(PhrasesOfCharacters, AreNoLongerMetWhenTheirWordGoesOn) {
  EXPECT_TRUE(progress_behind({4, 5, 6, 7}).any_open());
  EXPECT_FALSE(progress_behind({4, 5, 6, 7, 7}).all_met()) << "Hauss";
  EXPECT_FALSE(progress_behind({4, 5, 6, 7, 7}).any_open());
  const PhraseProgress over = progress_behind({4, 5, 6, 7, 8, 5});
  EXPECT_TRUE(over.all_met() && !over.any_open());
  EXPECT_FALSE(progress_behind({4, 5, 6, 7}).may_wait(5)) << "another letter, then all five";
  EXPECT_TRUE(progress_behind({4, 5, 6, 7}).may_wait(6));
}

TEST(PhraseProgress, AWordThatGoesOnMayMeetALongerForm) {
  const text::TokenTexts texts(text::CharacterTokenizer({"H", "a", "s", " "}));  // 4 to 7
  const Phrases required{std::vector<Ids>{{4}, {4, 6}}};
  EXPECT_TRUE(PhraseProgress(required, Ids{4}, &texts).all_met());
  const PhraseProgress longer(required, Ids{4, 6}, &texts);
  EXPECT_TRUE(longer.all_met()) << "Hs";
  EXPECT_EQ(longer.met_length(0), 2U);
  EXPECT_FALSE(PhraseProgress(required, Ids{4, 5}, &texts).all_met()) << "Ha";
  EXPECT_FALSE(PhraseProgress(required, Ids{4, 6, 6}, &texts).all_met()) << "Hss";
  EXPECT_TRUE(PhraseProgress(required, Ids{4, 5, 7, 4, 6}, &texts).all_met()) << "Ha Hs";
}

TEST(PhraseProgress, PhrasesThatShareAFormNeedOneEach) {
  const Phrases required{std::vector<Ids>{{4}, {5}}, {4}};
  EXPECT_FALSE(PhraseProgress(required, Ids{4}).all_met());
  EXPECT_TRUE(PhraseProgress(required, Ids{4, 4}).all_met());
  EXPECT_TRUE(PhraseProgress(required, Ids{5, 4}).all_met());
}

TEST(PhraseProgress, AWordEndsBeforeAPhraseThatCannotFollowALetter) {
  const text::TokenTexts texts(text::WordTokenizer(text::WordTokenizer::kTokensEnding, {"Ha@@", "us"}, "@@"));
  const Phrases required{{4, 5}};
  EXPECT_EQ(PhraseProgress(required, Ids{4}, &texts).next(), Ids{5});
  EXPECT_EQ(PhraseProgress(required, Ids{4, 4}, &texts).next(), Ids{}) << "HaHa";
  EXPECT_FALSE(PhraseProgress(required, Ids{4, 4, 5}, &texts).all_met()) << "HaHaus";
  EXPECT_FALSE(PhraseProgress(required, Ids{}, &texts).may_wait(3)) << "a token, the end of its word, both tokens";
  EXPECT_TRUE(PhraseProgress(required, Ids{}, &texts).may_wait(4));
}

}  // namespace
}  // namespace heed::search
