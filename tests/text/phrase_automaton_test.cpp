#include "heed/text/phrase_automaton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "heed/core/random.h"
#include "support/phrases_in_text.h"

namespace heed::text {
namespace {

using Phrases = std::vector<std::string>;

bool found(const Phrases& phrases, std::string_view text) { return PhraseAutomaton(phrases).is_found_in(text); }

TEST(PhraseAutomaton, FindsWholeWords) {
  const Phrases phrases{"er"};
  for (const char* text : {"er", "er geht", "so er", "(er)", "er-Wert", "so  er\t", "\u201Eer\u201C"}) {
    EXPECT_TRUE(found(phrases, text)) << text;
  }
  for (const char* text : {"", "erst", "der", "e r", "Er", "e", "er2", "2er", "ere"}) {
    EXPECT_FALSE(found(phrases, text)) << text;
  }
}

TEST(PhraseAutomaton, FindsPhrasesOfSeveralWordsWhateverTheSpaces) {
  const Phrases phrases{" ein  rotes Haus "};
  EXPECT_TRUE(found(phrases, "das ist ein rotes\u00A0 Haus."));
  EXPECT_FALSE(found(phrases, "das ist ein rotes Hausboot"));
  EXPECT_FALSE(found(phrases, "kein rotes Haus"));
  EXPECT_FALSE(found(phrases, "einrotes Haus"));
}

TEST(PhraseAutomaton, APhraseMayBeginWithinAnother) {
  const Phrases phrases{"a b c", "b d", "c"};
  EXPECT_TRUE(found(phrases, "a b d"));
  EXPECT_TRUE(found(phrases, "a b c"));
  EXPECT_TRUE(found(phrases, "a c"));
  EXPECT_FALSE(found(phrases, "a b b"));
  EXPECT_TRUE(found({"a a b"}, "a a a b"));
  EXPECT_FALSE(found({"aab", "b"}, "aaab")) << "no boundary before its begin";
}

TEST(PhraseAutomaton, PunctuationIsPartOfAPhraseAsItIs) {
  EXPECT_TRUE(found({"C++"}, "in C++17"));
  EXPECT_FALSE(found({"C++"}, "in C+"));
  EXPECT_TRUE(found({"!"}, "so!"));
  EXPECT_TRUE(found({"-a"}, "b-a"));
}

TEST(PhraseAutomaton, InScriptsWithoutSpacesAPhraseIsAnywhere) {
  EXPECT_TRUE(found({"\u6771\u4EAC"}, "\u79C1\u306F\u6771\u4EAC\u306B"));
  EXPECT_TRUE(found({"\uC11C\uC6B8"}, "\uC11C\uC6B8\uC740"));
  EXPECT_FALSE(found({"\u0E01"}, "\u0E01\u0E34")) << "the consonant of another syllable";
}

TEST(PhraseAutomaton, BlankPhrasesAreNone) {
  EXPECT_FALSE(found({"", " "}, "a"));
  EXPECT_FALSE(found({}, "a"));
}

/// A text of 1 to `most` characters without a space at its ends or two in a row.
std::string random_text(RandomStream& random, uint64_t most) {
  static const std::vector<std::string> kCharacters{"a", "b", " ", "-", "\u6771", "\u0E01", "\u0E34"};
  std::string text;
  for (uint64_t left = 1 + random.below(most); left > 0;) {
    const std::string& character = kCharacters[random.below(kCharacters.size())];
    if (character == " " && (text.empty() || text.ends_with(' ') || left == 1)) continue;
    text += character;
    --left;
  }
  return text;
}

TEST(PhraseAutomaton, FindsWhatComparingFinds) {
  RandomStream random(1, Purpose::Test);
  int positive = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Phrases phrases;
    for (uint64_t i = 0; i < 1 + random.below(5); ++i) phrases.push_back(random_text(random, 5));
    const std::string text = random_text(random, 12);
    const bool expected = std::ranges::any_of(
        phrases, [&](const std::string& phrase) { return heed::testing::contains_phrase(text, phrase); });
    EXPECT_EQ(found(phrases, text), expected) << text << " / " << phrases[0];
    positive += expected ? 1 : 0;
  }
  EXPECT_GT(positive, 300);
  EXPECT_LT(positive, 2700);
}

}  // namespace
}  // namespace heed::text
