#include "heed/translation/lines/term_list.h"

#include <gtest/gtest.h>

namespace heed::translation {
namespace {

using Terms = std::vector<std::string>;

TermList list_of(const std::vector<std::pair<std::string, std::string>>& terms) {
  TermList list;
  for (const auto& [source, target] : terms) EXPECT_TRUE(list.add(source, target));
  return list;
}

TEST(TermList, ATermStandsBetweenTheEdgesOfWords) {
  const TermList list = list_of({{"cat", "Katze"}, {"old house", "Altbau"}, {"C++", "C++"}});
  EXPECT_EQ(list.targets_in("The cat sees an old house."), (Terms{"Katze", "Altbau"}));
  EXPECT_EQ(list.targets_in("concatenate cats, (cat)"), (Terms{"Katze"}));
  EXPECT_EQ(list.targets_in("cat-like: cat's"), (Terms{"Katze", "Katze"}));
  EXPECT_EQ(list.targets_in("in C++."), (Terms{"C++"}));
  EXPECT_EQ(list.targets_in("Cat"), Terms{}) << "letter by letter";
  EXPECT_EQ(list.targets_in(""), Terms{});
}

TEST(TermList, WhiteSpaceCountsAsOneSpace) {
  const TermList list = list_of({{"  old \t house ", "Altbau"}});
  EXPECT_EQ(list.targets_in("an  old\u00A0house"), (Terms{"Altbau"}));
}

TEST(TermList, TheFirstAndLongestCounts) {
  const TermList list = list_of({{"old", "alt"}, {"old house", "Altbau"}, {"house boat", "Hausboot"}});
  EXPECT_EQ(list.targets_in("old house boat old"), (Terms{"Altbau", "alt"}));
  EXPECT_EQ(list.targets_in("old houses"), (Terms{"alt"}));
}

TEST(TermList, ScriptsWithoutSpacesHaveAnEdgeBetweenAnyTwo) {
  const TermList list = list_of({{"東京", "Tokyo"}, {"\uc11c\uc6b8", "Seoul"}, {"Ärger", "trouble"}});
  EXPECT_EQ(list.targets_in("私は東京に住む"), (Terms{"Tokyo"}));
  EXPECT_EQ(list.targets_in("\uc11c\uc6b8\uc740"), (Terms{"Seoul"}));
  EXPECT_EQ(list.targets_in("Verärgerung Ärgernis"), Terms{});
}

TEST(TermList, ASourceHasOneTarget) {
  TermList list = list_of({{"cat", "Katze"}});
  EXPECT_FALSE(list.add(" cat", "Kater"));
  EXPECT_EQ(list.targets_in("cat"), (Terms{"Katze"}));
}

}  // namespace
}  // namespace heed::translation
