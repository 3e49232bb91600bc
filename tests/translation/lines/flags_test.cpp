#include "heed/translation/lines/flags.h"

#include <cmath>

#include <gtest/gtest.h>

namespace heed::translation {
namespace {

/// Nothing is unusual about it: as many tokens as its source, each of probability 0.5.
Translation usual(text::Ids source, text::Ids target) {
  Translation translation;
  translation.log_probability = std::log(0.5) * static_cast<double>(target.size() + 1);
  translation.source = std::move(source);
  translation.target = std::move(target);
  return translation;
}

using Flags = std::vector<Flag>;

TEST(Flags, AUsualTranslationHasNone) { EXPECT_EQ(flags_of(usual({4, 5, 6}, {7, 8, 9})), Flags{}); }

TEST(Flags, ABlankLineHasNone) {
  Translation blank;
  blank.parts = 0;
  blank.log_probability = -100;
  EXPECT_EQ(flags_of(blank), Flags{});
}

TEST(Flags, SayWhatWasCut) {
  Translation translation = usual({4}, {4});
  translation.parts = 2;
  translation.source_complete = translation.complete = false;
  EXPECT_EQ(flags_of(translation), (Flags{Flag::Split, Flag::SourceCut, Flag::CutShort}));
}

TEST(Flags, SayThatRulesEndedIt) {
  Translation translation = usual({4}, {4});
  translation.ended_by_rules = true;
  EXPECT_EQ(flags_of(translation), Flags{Flag::EndedByRules});
  EXPECT_EQ(name_of(Flag::EndedByRules), "ended-by-rules");
  EXPECT_EQ(name_of(Flag::LowConfidence), "low-confidence");
}

TEST(Flags, SayThatTheModelDisagreesWithATerm) {
  Translation translation = usual({4, 5}, {4, 5});
  translation.terms = 2;
  translation.term_log_probabilities = {std::log(0.011F), std::log(0.5F)};
  EXPECT_EQ(flags_of(translation), Flags{});
  translation.terms = 3;
  EXPECT_EQ(flags_of(translation), Flags{Flag::TermForced}) << "one is missing";
  EXPECT_EQ(missing_terms(translation), 1);
  translation.term_log_probabilities.push_back(std::log(0.009F));
  EXPECT_EQ(flags_of(translation), Flags{Flag::TermForced});
  EXPECT_EQ(forced_terms(translation), 1);
  EXPECT_EQ(name_of(Flag::TermForced), "term-forced");
}

TEST(Flags, TokensMayBeUnknownOnEitherSide) {
  EXPECT_EQ(flags_of(usual({4, text::kUnk}, {4, 5})), Flags{Flag::Unknown});
  EXPECT_EQ(flags_of(usual({4, 5}, {text::kUnk, 5})), Flags{Flag::Unknown});
}

TEST(Flags, APhraseThatComesThreeTimesIsRepeated) {
  const text::Ids source{4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(flags_of(usual(source, {4, 5, 5, 5, 6})), Flags{Flag::Repeated});
  EXPECT_EQ(flags_of(usual(source, {4, 5, 5, 6, 5})), Flags{}) << "twice in a row";
  EXPECT_EQ(flags_of(usual(source, {9, 4, 5, 4, 5, 4, 5})), Flags{Flag::Repeated});
  EXPECT_EQ(flags_of(usual(source, {4, 5, 4, 5, 4, 6})), Flags{}) << "two and a half times";
  EXPECT_EQ(flags_of(usual({4, 4, 4}, {4, 5, 5, 5, 6})), Flags{}) << "as the source does";
}

TEST(Flags, OfLongPhrasesToo) {
  text::Ids phrase, target;
  for (int32_t id = 4; id < 4 + static_cast<int32_t>(kRepeatedPhrase); ++id) phrase.push_back(id);
  for (size_t i = 0; i < kRepeats; ++i) target.insert(target.end(), phrase.begin(), phrase.end());
  text::Ids source;
  for (int32_t id = 0; id < 20; ++id) source.push_back(10 + id);
  EXPECT_EQ(flags_of(usual(source, target)), Flags{Flag::Repeated});
  target.pop_back();
  EXPECT_EQ(flags_of(usual(source, target)), Flags{});
}

TEST(Flags, OneSideMayBeMuchLonger) {
  const text::Ids two{4, 5}, seven{4, 5, 6, 7, 8, 9, 10}, eight{4, 5, 6, 7, 8, 9, 10, 11};
  EXPECT_EQ(flags_of(usual(two, seven)), Flags{}) << "five more";
  EXPECT_EQ(flags_of(usual(two, eight)), Flags{Flag::LengthRatio});
  EXPECT_EQ(flags_of(usual(eight, two)), Flags{Flag::LengthRatio});
  EXPECT_EQ(flags_of(usual({4, 5, 6}, eight)), Flags{}) << "less than three times";
  EXPECT_EQ(flags_of(usual({}, eight)), Flags{}) << "of vectors";
}

TEST(Flags, ConfidenceIsTheMeanProbabilityOfTokens) {
  Translation translation = usual({4, 5, 6}, {4, 5, 6});
  translation.log_probability = std::log(0.21) * 4;
  EXPECT_EQ(flags_of(translation), Flags{});
  translation.log_probability = std::log(0.19) * 4;
  EXPECT_EQ(flags_of(translation), Flags{Flag::LowConfidence});
}

TEST(Flags, ConfidenceCountsTheTokensOfATag) {
  Translation translation = usual({4, 5, 6}, {4, 5, 6});
  translation.tag_tokens = 2;
  translation.log_probability = std::log(0.21) * 6;  // of the tag, three tokens and end-of-sentence
  EXPECT_EQ(flags_of(translation), Flags{});
  translation.log_probability = std::log(0.19) * 6;
  EXPECT_EQ(flags_of(translation), Flags{Flag::LowConfidence});
}

TEST(Flags, HaveNames) {
  EXPECT_EQ(name_of(Flag::Split), "split");
  EXPECT_EQ(name_of(Flag::Unknown), "unknown");
  EXPECT_EQ(name_of(Flag::LowConfidence), "low-confidence");
}

}  // namespace
}  // namespace heed::translation
