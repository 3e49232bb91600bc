#include "heed/text/tokenizers/learn_tokenizers.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "support/message_of.h"
#include "text/small_corpus.h"

namespace heed::text {
namespace {

using heed::testing::message_of;
using testing::learn_one;
using testing::small_corpus;
using testing::source_of;

template <class Learn>
std::vector<std::string> logged_while(const Learn& learn) {
  std::vector<std::string> messages;
  set_log_sink([&](LogLevel level, std::string_view message) {
    messages.push_back((level == LogLevel::Warning ? "warning: " : "") + std::string(message));
  });
  learn();
  set_log_sink({});
  return messages;
}
std::vector<std::string> logged_by(const TokenizerOptions& options, const std::vector<std::string>& lines) {
  return logged_while([&] { learn_one(options, lines); });
}

TEST(LearnTokenizers, AJointVocabularyIsOneTokenizerOfBothTexts) {
  const auto learned = learn_tokenizers({.type = WordsOptions{}}, source_of({"dog"}), source_of({"Hund Hund"}));
  EXPECT_EQ(learned.source, learned.target);
  EXPECT_EQ(learned.target->encode("Hund dog"), (Ids{4, 5}));
}

TEST(LearnTokenizers, SeparateVocabulariesKnowTheirSideAndSize) {
  const TokenizerOptions options{.type = WordsOptions{.size = {.vocab_size = 6, .target_vocab_size = 5}},
                                 .joint = false};
  const auto learned = learn_tokenizers(options, source_of({"a b c"}), source_of({"y x y"}));
  EXPECT_EQ(learned.source->encode("a b c x"), (Ids{4, 5, kUnk, kUnk}));
  EXPECT_EQ(learned.target->encode("y x a"), (Ids{4, kUnk, kUnk}));
  const TokenizerOptions fewer{.type = WordsOptions{.size = {.vocab_size = 6, .source_vocab_size = 5}}, .joint = false};
  EXPECT_EQ(learn_tokenizers(fewer, source_of({"a b c"}), source_of({"y x y"})).source->size(), 5);
}

TEST(LearnTokenizers, ALanguageModelHasNoSource) {
  for (const bool joint : {false, true}) {
    const auto learned = learn_tokenizers({.type = WordsOptions{}, .joint = joint}, {}, source_of({"dog"}));
    EXPECT_EQ(learned.source, nullptr);
    EXPECT_EQ(learned.target->size(), 5);
  }
}

TEST(LearnTokenizers, RareEntriesAreLeftOut) {
  EXPECT_EQ(learn_one({.type = WordsOptions{.minimum_count = 2}}, {"a b a"})->size(), 5);
  EXPECT_EQ(learn_one({.type = CharactersOptions{.minimum_count = 2}}, {"aab"})->size(), 5);
  EXPECT_EQ(learn_one({.type = PretokenizedOptions{.minimum_count = 2}}, {"a@@ b a@@"})->size(), 5);
}

TEST(LearnTokenizers, PretokenizedTextKeepsEveryToken) {
  const auto tokenizer = learn_one({.type = PretokenizedOptions{.separator = "@@"}}, {"gr@@ oß &apos;s"});
  EXPECT_EQ(tokenizer->size(), 7);
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("gr@@ oß &apos;s")), "groß &apos;s");
}

TEST(LearnTokenizers, ReportsTheSizeAndWhenTheTextGivesLess) {
  EXPECT_EQ(logged_by({.type = WordsOptions{.size = {.vocab_size = 5}}}, {"a b"}),
            (std::vector<std::string>{"the vocabulary (words): 5 entries"}));
  EXPECT_EQ(logged_by({.type = WordsOptions{.size = {.vocab_size = 9}}}, {"a b"}),
            (std::vector<std::string>{"the vocabulary (words): 6 entries, not 9: the training text gives no more"}));
  EXPECT_EQ(logged_while([] {
              learn_tokenizers({.type = WordsOptions{.size = {.vocab_size = 6}}}, source_of({"a"}), source_of({"b"}));
            }),
            (std::vector<std::string>{"joint vocabulary (words): 6 entries"}));
  const auto messages = logged_by({}, small_corpus());
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(messages[0].starts_with("the vocabulary (unigram): ")) << messages[0];
  EXPECT_TRUE(messages[0].ends_with(" entries, not 8000: the training text gives no more")) << messages[0];
}

TEST(LearnTokenizers, RefusesABlankTextAndBadOptions) {
  for (const TokenizerOptions& options :
       {TokenizerOptions{.type = WordsOptions{}}, TokenizerOptions{.type = CharactersOptions{}},
        TokenizerOptions{.type = PretokenizedOptions{}}}) {
    EXPECT_EQ(message_of<Error>([&] { learn_one(options, {""}); }), "no tokenizer can be learned: the text is blank");
  }
  EXPECT_THROW(learn_one({.type = WordsOptions{.size = {.source_vocab_size = 9}}}), ConfigError);
  EXPECT_THROW(learn_tokenizers({}, source_of({"a"}), {}), std::logic_error);
}

}  // namespace
}  // namespace heed::text
