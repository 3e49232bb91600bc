#include "heed/text/spellings.h"

#include <gtest/gtest.h>

#include <set>

#include "heed/text/word_tokenizer.h"

namespace heed::text {
namespace {

/// All ways, each as its tokens' entries.
void walk(const Spellings& spellings, size_t place, const Tokenizer& tokenizer, const std::string& before,
          std::set<std::string>& ways) {
  if (place == spellings.end()) {
    ways.insert(before);
    return;
  }
  for (const Spellings::Step& step : spellings.steps[place]) {
    walk(spellings, step.to, tokenizer, before + (before.empty() ? "" : " ") + tokenizer.piece(step.token), ways);
  }
}
std::set<std::string> ways_of(const Spellings& spellings, const Tokenizer& tokenizer) {
  std::set<std::string> ways;
  if (spellings.end() > 0) walk(spellings, 0, tokenizer, "", ways);
  return ways;
}

/// Units of subword-nmt.
const WordTokenizer kUnits(WordTokenizer::kTokensEnding, {"Haus", "Ha@@", "us", "H@@", "aus", "Haus@@", "rot", "es"},
                           "@@");

TEST(Speller, KnowsEveryWay) {
  const Speller speller(kUnits);
  EXPECT_EQ(ways_of(speller.of("Haus"), kUnits), (std::set<std::string>{"Haus", "Ha@@ us", "H@@ aus"}));
  EXPECT_EQ(ways_of(speller.of("rot Haus"), kUnits), (std::set<std::string>{"rot Haus", "rot Ha@@ us", "rot H@@ aus"}));
}

TEST(Speller, ALongerWordIsAnother) {
  EXPECT_EQ(ways_of(Speller(kUnits).of("us"), kUnits), (std::set<std::string>{"us"})) << "not Haus";
}

TEST(Speller, WhatTheVocabularyLacksHasNoWay) {
  EXPECT_EQ(ways_of(Speller(kUnits).of("Garten"), kUnits), std::set<std::string>{});
}

TEST(Spellings, OneWayIsTheseTokens) {
  EXPECT_EQ(ways_of(Spellings::one_way({5, 6}), kUnits), (std::set<std::string>{"Ha@@ us"}));
}

}  // namespace
}  // namespace heed::text
