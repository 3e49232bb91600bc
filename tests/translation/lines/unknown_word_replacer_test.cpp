#include "heed/translation/lines/unknown_word_replacer.h"

#include <gtest/gtest.h>

#include <memory>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

constexpr int32_t kUnk = text::kUnk;

/// Words w0 to w9 have the ids 4 to 13; the source has three words of four tokens.
class UnknownWordsTest : public ::testing::Test {
 protected:
  const text::AlignmentUnits source{.names = {"Anna", "sees", "Bert"}, .of_token = {0, 1, 2, 2}};
  const text::AlignmentWeights attention{
      {0.9F, 0.1F, 0, 0, 0}, {0, 0.4F, 0.3F, 0.3F, 0}, {0.1F, 0.8F, 0.1F, 0, 0}, {0, 0, 0, 0, 1}};
  testing::TemporaryDirectory directory;

  UnknownWordReplacer with_dictionary(const std::string& content) {
    UnknownWordReplacer words(text::numbered_words(10));
    write_file(directory.file("words"), content);
    words.read_dictionary(directory.file("words"));
    return words;
  }
};

TEST_F(UnknownWordsTest, AreReplacedByTheWordsTheyLookAt) {
  const UnknownWordReplacer words(text::numbered_words(10));
  EXPECT_EQ(words.text_of({kUnk, kUnk, 5}, 0, source, attention), "Anna Bert w1")
      << "a word's tokens are added up: 0.6 of Bert against 0.4 of sees";
  EXPECT_EQ(words.text_of({4, 5, kUnk}, 0, source, attention), "w0 w1 sees");
  EXPECT_EQ(words.text_of({4, 5}, 0, source, attention), "w0 w1");
}

TEST_F(UnknownWordsTest, AreNotReplacedByWhatIsForbidden) {
  const UnknownWordReplacer words(text::numbered_words(10));
  const auto texts = std::make_shared<const text::TokenTexts>(*text::numbered_words(10));
  const search::ForbiddenPhrases forbidden(texts, {"Anna", "Bert w2"});
  const std::string unknown = text::numbered_words(10)->decode(text::Ids{kUnk});
  EXPECT_EQ(words.text_of({kUnk, kUnk, 5}, 0, source, attention, &forbidden), unknown + " Bert w1");
  EXPECT_EQ(words.text_of({kUnk, kUnk, 6}, 0, source, attention, &forbidden), unknown + " " + unknown + " w2");
}

TEST_F(UnknownWordsTest, StayWhereNothingIsLookedAt) {
  const UnknownWordReplacer words(text::numbered_words(10));
  const std::string unknown = text::numbered_words(10)->decode(text::Ids{kUnk});
  EXPECT_EQ(words.text_of({4, 4, 4, kUnk}, 0, source, attention), "w0 w0 w0 " + unknown) << "end-of-sentence alone";
}

TEST_F(UnknownWordsTest, OfAGivenBeginStay) {
  const UnknownWordReplacer words(text::numbered_words(10));
  const std::string unknown = text::numbered_words(10)->decode(text::Ids{kUnk});
  EXPECT_EQ(words.text_of({kUnk, kUnk}, 1, source, attention), unknown + " Bert");
}

TEST_F(UnknownWordsTest, ADictionaryGoesFirst) {
  const UnknownWordReplacer words = with_dictionary("Bert\tHumbert\n\n");
  EXPECT_EQ(words.text_of({kUnk, kUnk}, 0, source, attention), "Anna Humbert");
}

TEST_F(UnknownWordsTest, ADictionaryHasWords) {
  const auto complaint = [&](const std::string& content) {
    return heed::testing::message_of<InputError>([&] { with_dictionary(content); });
  };
  const std::string file = directory.file("words");
  EXPECT_EQ(complaint("a\tb\nc d\te\n"), file + ":2: expected one word on each side of the tab");
  EXPECT_EQ(complaint("a\tb\na\te\n"), file + ":2: 'a' has a translation in an earlier line");
  EXPECT_EQ(complaint("a b\n"), file + ":1: expected SOURCE TAB TARGET, found no tab");
}

}  // namespace
}  // namespace heed::translation
