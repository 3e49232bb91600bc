#include "heed/metrics/oracle.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string_view>;

TEST(Oracle, ChoosesTheHighestSentenceScore) {
  const Texts texts{"a dog runs", "the cat sleeps here", "the cat sleeps", "cat"};
  const std::string reference = "the cat sleeps here now";
  for (const auto& metric : std::initializer_list<std::shared_ptr<const Metric>>{
           std::make_shared<Chrf>(), std::make_shared<Bleu>(BleuOptions{.effective_order = true})}) {
    Oracle oracle(metric);
    const size_t chosen = oracle.choose(texts, reference);
    EXPECT_EQ(chosen, 1U);
    const double score = metric->sentence_score(std::string(texts[chosen]), {&reference, 1}).value;
    for (const std::string_view text : texts) {
      EXPECT_LE(metric->sentence_score(std::string(text), {&reference, 1}).value, score) << text;
    }
    EXPECT_EQ(metric->score(oracle.statistics()).value, score);
    EXPECT_EQ(oracle.choose(Texts{"the cat", "a dog"}, "a dog"), 1U) << "each call is by itself";
  }
}

TEST(Oracle, TakesTheFirstOfEqualTexts) {
  Oracle oracle(std::make_shared<Chrf>());
  EXPECT_EQ(oracle.choose(Texts{"x", "the cat", "the cat"}, "the cat"), 1U);
  EXPECT_EQ(oracle.choose(Texts{"x", "y"}, "the cat"), 0U) << "none has anything in common with the reference";
}

}  // namespace
}  // namespace heed::metrics
