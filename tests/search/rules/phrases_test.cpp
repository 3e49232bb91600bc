#include "heed/search/rules/phrases.h"

#include <gtest/gtest.h>

namespace heed::search {
namespace {

using text::Ids;
using Phrases = std::vector<Ids>;

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
}

TEST(Completing, IsTheLastTokenOfWhatStandsAtTheEnd) {
  std::vector<text::Spellings> phrases;
  for (const Ids& ids : Phrases{{4, 5, 6}, {5, 7}, {8}, {9, 5, 4}}) phrases.push_back(text::Spellings::one_way(ids));
  EXPECT_EQ(completing(phrases, Ids{4, 5}), (Ids{6, 7, 8}));
  EXPECT_EQ(completing(phrases, Ids{}), (Ids{8}));
}

TEST(Completing, HoweverThePhraseIsSpelled) {
  // 4 spells what 5 6 and 7 8 spell, of three places in between; 9 stands for 6 6.
  const std::vector<text::Spellings> phrases{
      {.steps = {{{.token = 4, .to = 3}, {.token = 5, .to = 1}, {.token = 7, .to = 2}},
                 {{.token = 6, .to = 3}},
                 {{.token = 8, .to = 3}}}}};
  EXPECT_EQ(completing(phrases, Ids{}), (Ids{4}));
  EXPECT_EQ(completing(phrases, Ids{9, 5}), (Ids{4, 6}));
  EXPECT_EQ(completing(phrases, Ids{5, 7}), (Ids{4, 8}));
  EXPECT_EQ(completing(std::vector<text::Spellings>(1), Ids{4}), Ids{}) << "nothing spells it";
}

}  // namespace
}  // namespace heed::search
