#include "heed/metrics/ngram_matches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "heed/core/random.h"

namespace heed::metrics {
namespace {

using Matches = std::array<int64_t, 4>;

Matches matches(const Tokens& hypothesis, const std::vector<Tokens>& references) {
  Matches counted{};
  NgramMatcher().count(hypothesis, references, counted);
  return counted;
}

/// The definition, word for word.
Matches by_definition(const Tokens& hypothesis, const std::vector<Tokens>& references) {
  const auto counts = [](const Tokens& tokens, size_t order) {
    std::map<Tokens, int64_t> counted;
    for (size_t i = 0; i + order <= tokens.size(); ++i) ++counted[Tokens(&tokens[i], &tokens[i] + order)];
    return counted;
  };
  Matches result{};
  for (size_t order = 1; order <= 4; ++order) {
    std::map<Tokens, int64_t> allowed;
    for (const Tokens& reference : references) {
      for (const auto& [ngram, count] : counts(reference, order)) allowed[ngram] = std::max(allowed[ngram], count);
    }
    for (const auto& [ngram, count] : counts(hypothesis, order)) result[order - 1] += std::min(count, allowed[ngram]);
  }
  return result;
}

TEST(NgramMatcher, ClipsByTheReferenceThatHasTheNgramMostOften) {
  EXPECT_EQ(matches({"the", "the", "the", "cat"}, {{"the", "cat"}, {"the", "dog", "the"}}), (Matches{3, 1, 0, 0}));
}

TEST(NgramMatcher, EmptyTextsMatchNothing) {
  EXPECT_EQ(matches({}, {{"a"}}), Matches{});
  EXPECT_EQ(matches({"a"}, {{}}), Matches{});
  EXPECT_EQ(matches({}, {{}, {}}), Matches{});
}

TEST(NgramMatcher, EqualsTheDefinitionOnRandomTextsAndForgetsEarlierSegments) {
  constexpr std::array<std::string_view, 5> kWords{"a", "b", "c", "dd", ""};
  RandomStream random(5, Purpose::Test);
  const auto text = [&] {
    Tokens tokens(random.below(30));
    for (auto& token : tokens) token = kWords[random.below(kWords.size())];
    return tokens;
  };
  NgramMatcher matcher;
  for (int i = 0; i < 500; ++i) {
    const Tokens hypothesis = text();
    std::vector<Tokens> references(1 + random.below(3));
    for (Tokens& reference : references) reference = text();
    Matches counted{};
    matcher.count(hypothesis, references, counted);
    EXPECT_EQ(counted, by_definition(hypothesis, references));
  }
}

}  // namespace
}  // namespace heed::metrics
