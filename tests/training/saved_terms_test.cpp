#include "heed_torch/training/saved_terms.h"

#include <gtest/gtest.h>

namespace heed::training {
namespace {

TEST(SavedTerms, HoldWhereAnotherVersionListsOtherOptions) {
  const char* now = "valid.metric bleu, valid.beam 4, search.word-reward 0, valid-target file 1 5b";
  EXPECT_TRUE(terms_hold(now, now, now));
  EXPECT_TRUE(terms_hold(now, "", now)) << "they are the same";
  EXPECT_TRUE(terms_hold("valid.beam 4, valid.metric bleu, valid-target file 1 5b", now, now)) << "one is added";
  EXPECT_TRUE(terms_hold("valid.beam 4, valid.old 7, valid.metric bleu, valid-target file 1 5b", now, now))
      << "one is gone";
}

TEST(SavedTerms, DoNotHoldWhereAnOptionChanged) {
  const char* saved = "valid.metric bleu, valid.beam 4";
  const char* before = "valid.metric bleu, valid.beam 4, search.word-reward 0";
  EXPECT_FALSE(terms_hold(saved, before, "valid.metric bleu, valid.beam 5, search.word-reward 0"));
  EXPECT_FALSE(terms_hold(saved, before, "valid.metric bleu, valid.beam 4, search.word-reward 1"))
      << "the older version does not know it, but config.toml does";
  EXPECT_FALSE(terms_hold(saved, before, "valid.metric bleu")) << "it went with another choice";
  const char* other = "valid.metric bleu, valid.beam 5, search.word-reward 0";
  EXPECT_FALSE(terms_hold(saved, other, other)) << "config.toml was written, but no checkpoint since";
}

TEST(SavedTerms, HoldOnlyWithAllTheText) {
  const char* two = "valid.metric bleu, valid-target file 1 5b, valid-target file 2 5c";
  const char* one = "valid.metric bleu, valid-target file 1 5b";
  EXPECT_TRUE(terms_hold(two, two, "valid-target file 2 5c, valid.metric bleu, valid-target file 1 5b"));
  EXPECT_FALSE(terms_hold(two, one, one));
  EXPECT_FALSE(terms_hold(one, two, two));
  EXPECT_FALSE(terms_hold(one, one, "valid.metric bleu, valid-target file 1 5c"));
}

TEST(SavedTerms, MayBeNone) {
  EXPECT_TRUE(terms_hold("", "", ""));
  EXPECT_FALSE(terms_hold("", "train.schedule.type plateau", "train.schedule.type plateau"));
  EXPECT_FALSE(terms_hold("train.schedule.type plateau", "", ""));
}

TEST(SavedTerms, HoldUnderFormerNames) {
  EXPECT_TRUE(terms_hold("data.window 9", "data.shuffle-window 8", "data.shuffle-window 9"));
  EXPECT_FALSE(terms_hold("data.window 9", "data.shuffle-window 8", "data.shuffle-window 8"));
}

TEST(SavedTerms, HaveValuesOfSeveralWords) {
  EXPECT_FALSE(terms_hold("data.corpus-weights a=2 b=1", "data.corpus-weights a=2 b=1", "data.corpus-weights a=2 b=2"));
  EXPECT_TRUE(terms_hold("data.bptt-length 3", "data.corpus-weights , data.bptt-length 3",
                         "data.corpus-weights , data.bptt-length 3"));
}

}  // namespace
}  // namespace heed::training
