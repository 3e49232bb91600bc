#include "heed/search/places.h"

#include <cmath>

#include <gtest/gtest.h>

#include "heed/text/character_tokenizer.h"

namespace heed::search {
namespace {

using Rows = std::vector<std::span<const float>>;

/// Tokens 4 5 translate the source's tokens 1 and 2.
SentenceConstraints with_source(SourceSpan source) {
  RequiredPhrase phrase{4, 5};
  phrase.source = source;
  return {.required = {phrase}};
}

double penalty_of(const SentenceConstraints& constraints, const Rows& attention, const text::Ids& before,
                  int32_t token) {
  const PhraseProgress progress(constraints.required, before);
  PhraseProgress after = progress;
  after.advance(token);
  return phrase_attention_penalty(constraints, attention, progress, after);
}

const std::vector<float> kElsewhere{0.9F, 0, 0, 0.1F}, kPartly{0.5F, 0.25F, 0.25F, 0}, kThere{0, 0.7F, 0.3F, 0};

TEST(Places, APhraseLosesTheLogarithmOfItsSourcesMeanShare) {
  const SentenceConstraints constraints = with_source({1, 3});
  EXPECT_NEAR(penalty_of(constraints, {kElsewhere, kThere, kPartly}, {9, 4}, 5), std::log(0.75), 1e-6);
  EXPECT_NEAR(penalty_of(constraints, {kElsewhere, kThere, kThere}, {9, 4}, 5), 0, 1e-6);
  EXPECT_NEAR(penalty_of(constraints, {kThere, kElsewhere, kElsewhere}, {9, 4}, 5), std::log(kMinAttentionShare), 1e-6);
}

TEST(Places, OnlyTheTokenThatCompletesAPhraseCounts) {
  const SentenceConstraints constraints = with_source({1, 3});
  EXPECT_EQ(penalty_of(constraints, {kElsewhere, kElsewhere}, {9}, 4), 0);
  EXPECT_EQ(penalty_of(constraints, {kElsewhere, kElsewhere, kElsewhere}, {4, 5}, 9), 0);
}

TEST(Places, AWordThatGoesOnGivesThePenaltyBack) {
  const text::TokenTexts texts(text::CharacterTokenizer({"H", "a", " "}));  // 4 to 6
  RequiredPhrase phrase{4};
  phrase.source = {.begin = 1, .end = 3};
  const SentenceConstraints constraints{.required = {phrase}};
  PhraseProgress before(constraints.required, text::Ids{6}, &texts), met = before;
  met.advance(4);
  PhraseProgress unmet = met;
  unmet.advance(5);
  const Rows rows{kThere, kPartly, kElsewhere};
  const double lost = phrase_attention_penalty(constraints, std::span(rows).first(2), before, met);
  EXPECT_NEAR(lost, std::log(0.5), 1e-6);
  EXPECT_NEAR(phrase_attention_penalty(constraints, rows, met, unmet), -lost, 1e-9);
}

TEST(Places, WithoutAKnownSourceThereIsNoPenalty) {
  EXPECT_EQ(penalty_of(with_source({}), {kElsewhere, kElsewhere}, {4}, 5), 0);
  EXPECT_EQ(penalty_of(with_source({3, 5}), {kElsewhere, kElsewhere}, {4}, 5), 0) << "some of it was left out";
}

}  // namespace
}  // namespace heed::search
