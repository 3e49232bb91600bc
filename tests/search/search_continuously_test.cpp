#include "heed/search/search_continuously.h"

#include <gtest/gtest.h>

#include <map>

#include "support/drawn_sources.h"
#include "support/fake_beam_model.h"

namespace heed::search {
namespace {

struct Result {
  std::map<int64_t, std::vector<Hypothesis>> found;
  int64_t joins = 0, steps = 0, most_sentences = 0;
};

Result search_in(const Room& room, const std::vector<text::Ids>& all, bool backwards = false) {
  FakeBeamModel model(10, random_scorer(10));
  std::vector<SourceSentence> waiting;
  for (size_t i = 0; i < all.size(); ++i) waiting.push_back({static_cast<int64_t>(i), all[i]});
  if (backwards) std::ranges::reverse(waiting);
  Result result;
  search_continuously(model, {.beam = 3, .n_best = 3}, {.token_scores = true}, room, waiting,
                      [&](FinishedSentence&& finished) {
                        EXPECT_TRUE(result.found.emplace(finished.index, std::move(finished.hypotheses)).second);
                      });
  result.joins = model.joins;
  result.steps = model.steps;
  result.most_sentences = model.most_sentences;
  return result;
}

void expect_same(const Result& a, const Result& b) {
  ASSERT_EQ(a.found.size(), b.found.size());
  for (const auto& [index, hypotheses] : a.found) {
    const auto& others = b.found.at(index);
    ASSERT_EQ(hypotheses.size(), others.size());
    for (size_t i = 0; i < hypotheses.size(); ++i) {
      EXPECT_EQ(hypotheses[i].ids, others[i].ids);
      EXPECT_EQ(hypotheses[i].log_probability, others[i].log_probability);
    }
  }
}

TEST(SearchAll, RoomOrderAndRefillDoNotChangeResults) {
  const auto all = testing::drawn_sources(60, 0, 7, 6);
  const Result alone = search_in({.sentences = 1}, all);
  EXPECT_EQ(alone.found.size(), 60U);
  expect_same(alone, search_in({.sentences = 7}, all));
  expect_same(alone, search_in({.sentences = 60}, all, true));
  expect_same(alone, search_in({.sentences = 16, .refill = 1}, all));
  expect_same(alone, search_in({.sentences = 16, .refill = 0}, all, true));
  expect_same(alone, search_in({.tokens = 20}, all));
}

TEST(SearchAll, RoomIsKept) {
  const auto all = testing::drawn_sources(60, 0, 7, 6);
  EXPECT_EQ(search_in({.sentences = 7, .refill = 0}, all).most_sentences, 7);
  EXPECT_LE(search_in({.tokens = 24, .refill = 0}, all).most_sentences, 24);
}

TEST(SearchAll, WaitingSentencesTakeFreePlaces) {
  const auto all = testing::drawn_sources(60, 0, 7, 6);
  const Result refilled = search_in({.sentences = 16, .refill = 0.25}, all);
  const Result apart = search_in({.sentences = 16, .refill = 1}, all);
  EXPECT_GT(refilled.joins, 0);
  EXPECT_LT(refilled.joins, search_in({.sentences = 16, .refill = 0}, all).joins) << "a quarter is waited for";
  EXPECT_EQ(apart.joins, 0);
  EXPECT_LT(refilled.steps, apart.steps);
}

TEST(SearchAll, NothingWaitingIsNoWork) { EXPECT_TRUE(search_in({}, {}).found.empty()); }

}  // namespace
}  // namespace heed::search
