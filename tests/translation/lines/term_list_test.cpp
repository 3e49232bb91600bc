#include "heed/translation/lines/term_list.h"

#include <gtest/gtest.h>

namespace heed::translation {
namespace {

using Terms = std::vector<std::string>;

TermList list_of(const std::vector<std::pair<std::string, std::string>>& terms, bool fold_case = false) {
  TermList list(fold_case);
  for (const auto& [source, target] : terms) list.add(source, target);
  return list;
}

/// The targets of all terms of the line.
Terms targets_in(const TermList& list, const std::string& line) {
  Terms targets;
  for (const TermMatch& match : list.matches_in(line)) {
    targets.insert(targets.end(), match.targets.begin(), match.targets.end());
  }
  return targets;
}

TEST(TermList, ATermStandsBetweenTheEdgesOfWords) {
  const TermList list = list_of({{"cat", "Katze"}, {"old house", "Altbau"}, {"C++", "C++"}});
  EXPECT_EQ(targets_in(list, "The cat sees an old house."), (Terms{"Katze", "Altbau"}));
  EXPECT_EQ(targets_in(list, "concatenate cats, (cat)"), (Terms{"Katze"}));
  EXPECT_EQ(targets_in(list, "cat-like: cat's"), (Terms{"Katze", "Katze"}));
  EXPECT_EQ(targets_in(list, "in C++."), (Terms{"C++"}));
  EXPECT_EQ(targets_in(list, "a Cat"), Terms{}) << "letter by letter";
  EXPECT_EQ(targets_in(list, ""), Terms{});
}

TEST(TermList, WhiteSpaceCountsAsOneSpace) {
  const TermList list = list_of({{"  old \t house ", "Altbau"}});
  EXPECT_EQ(targets_in(list, "an  old\u00A0house"), (Terms{"Altbau"}));
}

TEST(TermList, TheFirstAndLongestCounts) {
  const TermList list = list_of({{"old", "alt"}, {"old house", "Altbau"}, {"house boat", "Hausboot"}});
  EXPECT_EQ(targets_in(list, "old house boat old"), (Terms{"Altbau", "alt"}));
  EXPECT_EQ(targets_in(list, "old houses"), (Terms{"alt"}));
}

TEST(TermList, ScriptsWithoutSpacesHaveAnEdgeBetweenAnyTwo) {
  const TermList list = list_of({{"東京", "Tokyo"}, {"\uc11c\uc6b8", "Seoul"}, {"Ärger", "trouble"}});
  EXPECT_EQ(targets_in(list, "私は東京に住む"), (Terms{"Tokyo"}));
  EXPECT_EQ(targets_in(list, "\uc11c\uc6b8\uc740"), (Terms{"Seoul"}));
  EXPECT_EQ(targets_in(list, "Verärgerung Ärgernis"), Terms{});
}

TEST(TermList, ASourceMayHaveSeveralTargets) {
  const TermList list = list_of({{"cat", "Katze"}, {" cat", "Kater"}, {"cat", "Katze"}});
  EXPECT_EQ(targets_in(list, "cat"), (Terms{"Katze", "Kater"}));
  EXPECT_EQ(list.matches_in("cat cat").size(), 2U);
}

TEST(TermList, AMatchNamesItsWords) {
  const TermList list = list_of({{"old house", "Altbau"}, {"cat", "Katze"}});
  const auto matches = list.matches_in("The  old house, a (cat)!");
  ASSERT_EQ(matches.size(), 2U);
  EXPECT_EQ(matches[0].first_word, 1U);
  EXPECT_EQ(matches[0].end_word, 3U);
  EXPECT_EQ(matches[1].first_word, 4U);
  EXPECT_EQ(matches[1].end_word, 5U);
  EXPECT_EQ(matches[0].words, "old house,");
  EXPECT_EQ(matches[0].words.substr(matches[0].begin, matches[0].end - matches[0].begin), "old house");
  EXPECT_EQ(matches[1].words, "(cat)!");
  EXPECT_EQ(matches[1].begin, 1U);
  EXPECT_EQ(matches[1].end, 4U);
}

TEST(TermList, SmallLettersMayBeginAnySentenceWithACapital) {
  const TermList list = list_of({{"open", "öffnen"}, {"old house", "Altbau"}});
  for (const std::string line : {"It is late. Open it.", "Late! Open it.", "late . Open it", "\"Open it.\"", "(Open)",
                                 "He said: no. \"Open it!\"", "遅い。Open it"}) {
    EXPECT_EQ(targets_in(list, line), (Terms{"öffnen", "Öffnen"})) << line;
  }
  EXPECT_EQ(targets_in(list, "It is late, Open it."), Terms{});
  EXPECT_EQ(targets_in(list, "See http://a.b/c?Open it"), Terms{});
  EXPECT_EQ(targets_in(list, "Late. Old house."), (Terms{"Altbau"}));
}

TEST(TermList, SmallLettersMayBeginTheLineWithACapital) {
  const TermList list = list_of({{"open", "öffnen"}, {"NASA", "NASA"}});
  EXPECT_EQ(targets_in(list, "Open it, Open"), (Terms{"öffnen", "Öffnen"})) << "the second is not at the beginning";
  EXPECT_EQ(targets_in(list, "OPEN"), Terms{});
  EXPECT_EQ(targets_in(list, "nASA"), Terms{});
}

TEST(TermList, ACapitalIsALetterOfUpperOrTitleCase) {
  const TermList list = list_of({{"öffnen", "ǆa"}, {"жук", "ßa"}, {"ǆ", "Öl"}, {"1a", "eins"}, {"東", "ost"}});
  EXPECT_EQ(targets_in(list, "Öffnen"), (Terms{"ǆa", "ǅa"})) << "title case, not upper case";
  EXPECT_EQ(targets_in(list, "Жук"), (Terms{"ßa"})) << "no simple title case";
  EXPECT_EQ(targets_in(list, "\u01C5"), (Terms{"Öl"}));
  EXPECT_EQ(targets_in(list, "1a"), (Terms{"eins"}));
  EXPECT_EQ(targets_in(list, "東"), (Terms{"ost"}));
}

TEST(TermList, MayFoldCase) {
  const TermList list = list_of({{"Old house", "Altbau"}, {"straße", "street"}}, true);
  EXPECT_EQ(targets_in(list, "an OLD House"), (Terms{"Altbau"}));
  EXPECT_EQ(targets_in(list, "old house"), (Terms{"Altbau"}));
  EXPECT_EQ(targets_in(list, "die Straße"), (Terms{"street", "Street"}));
}

}  // namespace
}  // namespace heed::translation
