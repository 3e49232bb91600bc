#include "heed/text/vocabulary.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::text {
namespace {

using heed::testing::message_of;

TEST(Vocabulary, EntriesFollowTheSpecialOnes) {
  const Vocabulary vocabulary({"dog", "Hund"});
  EXPECT_EQ(vocabulary.size(), 6);
  EXPECT_EQ(vocabulary.id("dog"), 4);
  EXPECT_EQ(vocabulary.entry(5), "Hund");
  EXPECT_EQ(vocabulary.entry(kEos), "</s>");
  EXPECT_EQ(vocabulary.id("cat"), kUnk);
  EXPECT_THROW(vocabulary.entry(6), std::logic_error);
  EXPECT_THROW(vocabulary.entry(-1), std::logic_error);
}

TEST(Vocabulary, NoTextIsASpecialId) {
  const Vocabulary vocabulary({});
  for (const auto name : kSpecialNames) EXPECT_EQ(vocabulary.id(name), kUnk);
}

TEST(Vocabulary, RefusesRepeatedEmptyAndSpecialEntries) {
  EXPECT_THROW(Vocabulary({"a", "a"}), std::logic_error);
  EXPECT_THROW(Vocabulary({""}), std::logic_error);
  EXPECT_THROW(Vocabulary({"<s>"}), std::logic_error);
}

TEST(VocabularyFile, ReadsWhatWasWritten) {
  const std::vector<std::string> entries{"#", "# a: b", "\r", " ", "\u2028", "ß", "@@"};
  const auto file = parse_vocabulary("v.tokens", Vocabulary(entries).serialized({{"separator", "@@"}}));
  EXPECT_EQ(file.entries, entries);
  EXPECT_EQ(file.properties.at("separator"), "@@");
}

TEST(VocabularyFile, SaysWhereAFileIsWrong) {
  const auto message = [](const std::string& content) {
    return message_of<InputError>([&] { parse_vocabulary("v.words", content); });
  };
  const std::string head = "#version: 1\n<pad>\n<unk>\n<s>\n</s>\n";
  EXPECT_EQ(message(""), "v.words: a vocabulary's first line is '#version: 1', found ''");
  EXPECT_EQ(message("hello\n"), "v.words:1: a vocabulary's first line is '#version: 1', found 'hello'");
  EXPECT_EQ(message("#version: 1\nthe\n"), "v.words:2: a vocabulary starts with <pad>, <unk>, <s>, </s>, found 'the'");
  EXPECT_EQ(message("#version: 1\n<pad>\n"), "v.words:2: a vocabulary starts with <pad>, <unk>, <s>, </s>, found ''");
  EXPECT_EQ(message("#version: 1\n#odd\n"), "v.words:2: expected '#name: value', found '#odd'");
  EXPECT_EQ(message(head + "a\nb\na\n"), "v.words:8: the entry 'a' is repeated");
  EXPECT_EQ(message(head + "a\n\n"), "v.words:7: '' cannot be a vocabulary entry");
  EXPECT_EQ(message(head + "<s>\n"), "v.words:6: '<s>' cannot be a vocabulary entry");
  EXPECT_EQ(message(head + "\xff\n"), "v.words:6: expected UTF-8 text");
}

TEST(EntryCounter, OrdersByCountThenCodePoint) {
  EntryCounter counter;
  for (const auto* entry : {"b", "é", "a", "c", "c", "<pad>", "b", "z", "c"}) counter.add(entry);
  EXPECT_EQ(counter.most_frequent(10, 1), (std::vector<std::string>{"c", "b", "a", "z", "é"}));
  EXPECT_EQ(counter.most_frequent(3, 1), (std::vector<std::string>{"c", "b", "a"}));
  EXPECT_EQ(counter.most_frequent(10, 2), (std::vector<std::string>{"c", "b"}));
  EXPECT_EQ(counter.distinct(), 5u);
}

}  // namespace
}  // namespace heed::text
