#include "heed/search/next_tokens.h"

#include <gtest/gtest.h>

#include "heed/text/tokenizer.h"
#include "support/forbidden_tokens.h"

namespace heed::search {
namespace {

using text::Ids;
constexpr int64_t kRoom = 100;

TEST(NextTokens, OfThePrefixItsNextAlone) {
  const SentenceConstraints constraints{.prefix = {4, 5}, .required = {{6}}};
  const NextTokens next = next_tokens(Ids{4}, kRoom, &constraints, {.no_repeat_ngram = 1, .repetition_penalty = 2});
  EXPECT_EQ(next.asked, Ids{5});
  EXPECT_TRUE(next.asked_alone);
}

TEST(NextTokens, NoEndBeforeWhatIsRequired) {
  const SentenceConstraints constraints{.prefix = {4}, .required = {{6, 7}}};
  const NextTokens next = next_tokens(Ids{4}, kRoom, &constraints, {});
  EXPECT_EQ(next.asked, Ids{6});
  EXPECT_EQ(next.barred, Ids{text::kEos});
  EXPECT_FALSE(next.asked_alone);
  const NextTokens after = next_tokens(Ids{4, 6, 7}, kRoom, &constraints, {});
  EXPECT_TRUE(after.asked.empty() && after.barred.empty());
}

TEST(NextTokens, WhereThereIsNoRoomWhatIsRequiredComesAtOnce) {
  const SentenceConstraints constraints{.required = {{6, 7}, {8}}};
  EXPECT_FALSE(next_tokens(Ids{6}, 4, &constraints, {}).asked_alone);
  const NextTokens next = next_tokens(Ids{6}, 2, &constraints, {});
  EXPECT_TRUE(next.asked_alone);
  EXPECT_EQ(next.asked, Ids{7}) << "what is under way";
}

TEST(NextTokens, ConstraintsGoBeforeRules) {
  const std::vector<std::string> required{"w2 w3"};
  const SentenceConstraints constraints{.required = {{6, 7}},
                                        .forbidden = forbid({{6}, {9}}, 12)->without_those_in(required)};
  const NextTokens next = next_tokens(Ids{5}, kRoom, &constraints, {.no_repeat_ngram = 1});
  EXPECT_EQ(next.asked, Ids{6});
  EXPECT_EQ(next.barred, (Ids{text::kEos, 5, 9}));
}

TEST(NextTokens, ThePenaltyIsOfTheTokensThatAreThere) {
  const NextTokens next = next_tokens(Ids{5, text::kUnk, 4, 5}, kRoom, nullptr, {.repetition_penalty = 1.5});
  EXPECT_EQ(next.asked, (Ids{4, 5})) << "the token for unknown words is not allowed";
  const NextTokens barred = next_tokens(Ids{5, text::kUnk, 4, 5}, kRoom, nullptr,
                                        {.unknown = true, .no_repeat_ngram = 2, .repetition_penalty = 2});
  EXPECT_EQ(barred.barred, Ids{text::kUnk}) << "it has followed 5";
  EXPECT_EQ(barred.asked, (Ids{4, 5}));
}

TEST(StepRules, ThereAreNoneWithoutNeed) {
  const SearchOptions options{.beam = 2};
  const std::vector<SentenceBeam> sentences{{0, 2, options}};
  EXPECT_FALSE(step_rules(sentences, std::vector{End::Allowed}, options).any());
}

TEST(StepRules, NoneAfterThePrefix) {
  const SearchOptions options{.beam = 2};
  const SentenceConstraints constraints{.prefix = {6}};
  std::vector<SentenceBeam> sentences{{0, 2, options, &constraints}};
  EXPECT_TRUE(step_rules(sentences, std::vector{End::Allowed}, options).any());
  sentences[0].history.resize(2);  // one step
  EXPECT_FALSE(step_rules(sentences, std::vector{End::Allowed}, options).any());
}

TEST(StepRules, NoneOfSentencesThatMustEnd) {
  const SearchOptions options{.beam = 2};
  const SentenceConstraints constraints{.required = {{6}}};
  const std::vector<SentenceBeam> sentences(2, SentenceBeam(0, 2, options, &constraints));
  const StepRules rules = step_rules(sentences, std::vector{End::Forced, End::Allowed}, options);
  ASSERT_EQ(rules.asked.hypotheses(), 4U);
  EXPECT_TRUE(rules.asked.of(0).empty());
  EXPECT_EQ(rules.asked.of(2).size(), 1U);
  EXPECT_TRUE(rules.asked.of(3).empty()) << "no such hypothesis yet";
}

}  // namespace
}  // namespace heed::search
