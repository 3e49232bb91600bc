#include "heed/translation/lines/translation_constraints.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed/text/character_tokenizer.h"
#include "heed/text/word_tokenizer.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

/// Words w0 to w9 have the ids 4 to 13.
class TranslationConstraintsTest : public ::testing::Test {
 protected:
  TranslationConstraints with_terms(const std::string& content, const TermOptions& options = {}) {
    TranslationConstraints constraints(text::numbered_words(10));
    write_file(directory.file("terms"), content);
    constraints.read_terms(directory.file("terms"), options);
    return constraints;
  }
  std::string complaint(const std::string& content) {
    return testing::message_of<InputError>([&] { with_terms(content, {.strict = true}); });
  }

  testing::TemporaryDirectory directory;
};

TEST_F(TranslationConstraintsTest, TermsOfTheSourceAreRequired) {
  const TranslationConstraints constraints = with_terms("cat\tw1 w2\n\n dog \t w3\n");
  const auto of_line = constraints.of_line("dog and cat", "");
  ASSERT_TRUE(of_line);
  EXPECT_EQ(of_line->required, (std::vector<search::RequiredPhrase>{{7}, {5, 6}}));
  EXPECT_TRUE(of_line->prefix.empty());
  EXPECT_EQ(constraints.of_line("bird", ""), nullptr);
}

TEST_F(TranslationConstraintsTest, SeveralTargetsAreFormsOfOnePhrase) {
  const TranslationConstraints constraints = with_terms("cat\tw1 w2\ncat\tw3\n");
  EXPECT_EQ(constraints.of_line("a cat", "")->required,
            (std::vector<search::RequiredPhrase>{std::vector<text::Ids>{{5, 6}, {7}}}));
}

TEST_F(TranslationConstraintsTest, APhraseKnowsTheTokensThatItTranslates) {
  const auto source_of = [&](const text::Tokenizer& tokenizer, const std::string& term, const std::string& line) {
    const TranslationConstraints constraints = with_terms(term + "\tw1\n");
    return constraints.of_part(line, "", nullptr, &tokenizer)->required.at(0).source;
  };
  const auto span = [](size_t begin, size_t end) { return search::SourceSpan{.begin = begin, .end = end}; };
  EXPECT_EQ(source_of(*text::numbered_words(10), "w2 w3", "w1 w2 w3 w4"), span(1, 3));
  const text::CharacterTokenizer characters({"a", "b", " ", ".", "\u6771", "\u4eac"});
  EXPECT_EQ(source_of(characters, "ab", "b ab."), span(2, 4)) << "without the mark";
  EXPECT_EQ(source_of(characters, "\u6771\u4eac", "\u4eac\u6771\u4eac.\u6771"), span(1, 3)) << "one word";
  const text::WordTokenizer units(text::WordTokenizer::kTokensEnding, {"a@@", "b", "c"}, "@@");
  EXPECT_EQ(source_of(units, "c", "a@@ b c"), span(0, 0)) << "its words are others";
}

TEST_F(TranslationConstraintsTest, ATermThatTheVocabularyCannotSpellIsLeftOutWithAWarning) {
  std::vector<std::string> log;
  set_log_sink([&](LogLevel, std::string_view message) { log.emplace_back(message); });
  const TranslationConstraints constraints = with_terms("dog\tw1\ncat\tw77\ncat\tw2\nbird\tw88\n");
  set_log_sink({});
  EXPECT_EQ(constraints.of_line("cat", "")->required, (std::vector<search::RequiredPhrase>{{6}}));
  EXPECT_EQ(constraints.of_line("bird", ""), nullptr);
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0],
            directory.file("terms") +
                ": 2 of 4 terms left out: the model's vocabulary cannot spell the target, such as 'w77' in line 2");
}

TEST_F(TranslationConstraintsTest, AFileOfASpreadsheetIsNamed) {
  const auto warnings = [&](const std::string& content) {
    std::vector<std::string> messages;
    set_log_sink([&](LogLevel, std::string_view message) { messages.emplace_back(message); });
    with_terms(content);
    set_log_sink({});
    return messages;
  };
  const std::string file = directory.file("terms");
  EXPECT_TRUE(warnings("cat\tw1\ndog\tw2\n").empty());
  EXPECT_EQ(warnings("\"cat\"\t\"w1\"\n\"dog\"\t\"w2\"\n").at(0),
            file + ": 4 fields are in double quotes, which are read as part of the terms: `tr -d '\"' < " + file +
                " > terms.tsv` removes them");
  EXPECT_EQ(warnings("English\tGerman\ncat\tw1\n").at(0), file +
                                                              ":1 `English TAB German` looks like a header, but is "
                                                              "read as a term: `tail -n +2 " +
                                                              file + " > terms.tsv` removes it");
}

TEST_F(TranslationConstraintsTest, APrefixIsInTokensOfTheTarget) {
  const TranslationConstraints constraints(text::numbered_words(10));
  EXPECT_EQ(constraints.of_line("cat", "w4 w5 ")->prefix, (text::Ids{8, 9}));
  EXPECT_EQ(constraints.of_line("cat", "unknown w5")->prefix, (text::Ids{text::kUnk, 9}));
  EXPECT_EQ(constraints.of_line("cat", "  "), nullptr);
}

TEST_F(TranslationConstraintsTest, ATagStandsBeforeThePrefix) {
  TranslationConstraints constraints(text::numbered_words(10));
  constraints.tag("w9");
  EXPECT_EQ(constraints.of_line("cat", "")->prefix, (text::Ids{13}));
  const auto of_line = constraints.of_line("cat", "w4");
  EXPECT_EQ(of_line->prefix, (text::Ids{13, 8}));
  EXPECT_EQ(of_line->tag, 1U);
  EXPECT_EQ(testing::message_of<ConfigError>([&] { constraints.tag("<2de>"); }),
            "`--target-tag` '<2de>' cannot be written with the model's vocabulary");
}

TEST_F(TranslationConstraintsTest, ForbiddenPhrasesAreForbiddenToAll) {
  TranslationConstraints constraints(text::numbered_words(10));
  write_file(directory.file("never"), "w1 w2\n\nw3\n");
  constraints.read_forbidden(directory.file("never"));
  const auto forbidden = constraints.of_line("cat", "")->forbidden;
  ASSERT_TRUE(forbidden);
  EXPECT_TRUE(forbidden->is_found_in("w1 w2") && forbidden->is_found_in("w3"));
  EXPECT_FALSE(forbidden->is_found_in("w1 w4 w2"));
}

TEST_F(TranslationConstraintsTest, WhatALineMustContainIsNotForbiddenThere) {
  TranslationConstraints constraints = with_terms("cat\tw1 w2\n");
  write_file(directory.file("never"), "w2\nw3\n");
  constraints.read_forbidden(directory.file("never"));
  const auto forbids = [&](const char* source, const char* prefix, const char* text) {
    return constraints.of_line(source, prefix)->forbidden->is_found_in(text);
  };
  EXPECT_TRUE(forbids("dog", "", "w2") && forbids("dog", "", "w3"));
  EXPECT_FALSE(forbids("a cat", "", "w2")) << "its term contains it";
  EXPECT_TRUE(forbids("a cat", "", "w3"));
  EXPECT_FALSE(forbids("dog", "w0 w3", "w3")) << "its prefix contains it";
}

TEST(RequiredPhrase, IsSpelledAsItsPlaceNeeds) {
  const text::CharacterTokenizer characters({"a", "b", " ", ".", "\u6771"});
  EXPECT_EQ(required_phrase(characters, "ab"), (search::RequiredPhrase{std::vector<text::Ids>{{4, 5}, {6, 4, 5}}}));
  EXPECT_EQ(required_phrase(characters, "\u6771"), (search::RequiredPhrase{std::vector<text::Ids>{{8}, {6, 8}}}));
  const text::WordTokenizer units(text::WordTokenizer::kTokensEnding, {"a@@", "b", "."}, "@@");
  EXPECT_EQ(required_phrase(units, "a@@ b"), (search::RequiredPhrase{4, 5})) << "the unit before it has its space";
}

TEST_F(TranslationConstraintsTest, WhatIsNoTermIsNamed) {
  const std::string file = directory.file("terms");
  EXPECT_EQ(complaint("cat\tw1\ndog w2\n"), file + ":2: expected SOURCE TAB TARGET, found no tab");
  EXPECT_EQ(complaint("cat\tw1\tw2\n"), file + ":1: expected SOURCE TAB TARGET, found several tabs");
  EXPECT_EQ(complaint(" \tw1\n"), file + ":1: the source term is blank");
  EXPECT_EQ(complaint("cat\t \n"), file + ":1: the target term is blank");
  EXPECT_EQ(complaint("cat\tw1 w77\n"), file + ":1: the model's vocabulary cannot spell 'w1 w77'");
}

}  // namespace
}  // namespace heed::translation
