#include "heed/text/sentencepiece/piece_table_tokenizer.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "text/small_corpus.h"

namespace heed::text {
namespace {

using heed::testing::message_of;

std::shared_ptr<const Tokenizer> plain() {
  static const auto kPlain = testing::learn_one({.type = UnigramOptions{.subwords = {.size = {.vocab_size = 50}}}});
  return kPlain;
}

PieceTableTokenizer table_of(std::vector<std::string> entries) {
  return {"x.pieces", plain()->serialized(), std::move(entries)};
}

/// All pieces of the model, last first.
std::vector<std::string> reversed_pieces() {
  std::vector<std::string> pieces;
  for (auto id = static_cast<int32_t>(plain()->size()) - 1; id > kEos; --id) pieces.push_back(plain()->piece(id));
  return pieces;
}

TEST(PieceTableTokenizer, PiecesHaveTheIdsOfTheTable) {
  const auto tokenizer = table_of(reversed_pieces());
  ASSERT_EQ(tokenizer.size(), plain()->size());
  for (const std::string& line : testing::small_corpus()) {
    Ids expected = plain()->encode(line);
    for (int32_t& id : expected) id = id == kUnk ? id : static_cast<int32_t>(tokenizer.size()) - 1 - (id - kEos - 1);
    EXPECT_EQ(tokenizer.encode(line), expected);
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(line)), line);
    EXPECT_EQ(tokenizer.line_words(line).of_id, plain()->line_words(line).of_id);
    EXPECT_EQ(tokenizer.words(expected), plain()->words(plain()->encode(line)));
  }
}

TEST(PieceTableTokenizer, WhatTheTableLacksIsUnknown) {
  const auto tokenizer = table_of({"\u2581the", "s"});
  EXPECT_EQ(tokenizer.piece(4), "\u2581the");
  EXPECT_EQ(tokenizer.encode("the").front(), 4);
  for (const int32_t id : tokenizer.encode("a house")) EXPECT_TRUE(id == kUnk || id == 5) << id;
  EXPECT_EQ(tokenizer.decode(Ids{kBos, 4, kUnk, 5, kEos, kPad}), "the\u2047s");
}

TEST(PieceTableTokenizer, ADecodedLineIsOneLine) {
  const auto bytes =
      testing::learn_one({.type = UnigramOptions{.subwords = {.size = {.vocab_size = 330}, .byte_fallback = true}}});
  const PieceTableTokenizer tokenizer("x.pieces", bytes->serialized(), {"\u2581the", "<0x0A>", "s"});
  EXPECT_EQ(tokenizer.decode(Ids{4, 5, 6}), "the s");
}

/// A character of the other language's pieces, which the model does not know.
TEST(PieceTableTokenizer, WhatTheModelLacksMayBeAnEntry) {
  const auto tokenizer = table_of({"\u2581the", "\u732b", "\u2581\u732b\u732b"});
  EXPECT_EQ(tokenizer.encode("the \u732b").back(), 5);
  EXPECT_EQ(tokenizer.decode(Ids{4, 6, 5}), "the \u732b\u732b\u732b");
}

TEST(PieceTableTokenizer, AMarkOfALanguageIsOnePiece) {
  const auto tokenizer = table_of({">>fra<<", "\u2581the", "<", ">"});
  EXPECT_EQ(tokenizer.encode(">>fra<< the"), (Ids{4, 5}));
  EXPECT_EQ(tokenizer.line_words(">>fra<< the").of_id, (std::vector<int64_t>{0, 1}));
  EXPECT_NE(tokenizer.encode("the >>fra<<")[0], 4);
  EXPECT_NE(tokenizer.encode(">>deu<< the")[0], 4);
  EXPECT_NE(tokenizer.encode(">>fra")[0], 4);
}

TEST(PieceTableTokenizer, NoTextIsASpecialId) {
  const auto tokenizer = table_of(reversed_pieces());
  for (const int32_t id : tokenizer.encode("<pad></s><s><unk>")) EXPECT_TRUE(id == kUnk || id > kEos);
}

TEST(PieceTableTokenizer, IsWhatItsFileSays) {
  const heed::testing::TemporaryDirectory directory;
  const auto tokenizer = table_of(reversed_pieces());
  write_file(directory.file("target.pieces"), tokenizer.serialized());
  const auto loaded = load_tokenizer(directory.file("target.pieces"));
  EXPECT_EQ(loaded->serialized(), tokenizer.serialized());
  EXPECT_EQ(loaded->encode("the dogs"), tokenizer.encode("the dogs"));
}

TEST(PieceTableTokenizer, RefusesDamagedFiles) {
  const std::string whole = table_of({"\u2581the"}).serialized();
  const auto message = [](const std::string& content) {
    return message_of<InputError>([&] { PieceTableTokenizer::parse("x.pieces", content); });
  };
  const std::string head =
      "x.pieces:1: expected a table of pieces, which begins with `#version: 1` and `#model-bytes: N`";
  EXPECT_EQ(message(""), head);
  EXPECT_EQ(message("#version: 1\n#model-bytes: x\n"), head);
  EXPECT_EQ(message("#version: 1\n#model-bytes: 99999999999999999999999\n"), head);
  EXPECT_EQ(message("#version: 1\n#model-bytes: 100\n"),
            "x.pieces:2: expected a model of 100 bytes after the table: the file is truncated");
  EXPECT_NE(message(whole.substr(0, whole.size() - 1)), "nothing was thrown");
  EXPECT_NE(message(whole.substr(0, 100)), "nothing was thrown");
  EXPECT_NE(message(whole + "x"), "nothing was thrown");
  const std::string body = "<pad>\n<unk>\n<s>\n</s>\n";
  EXPECT_EQ(message("#version: 1\n#model-bytes: 3\n" + body + "a\nabc"), "x.pieces: expected a SentencePiece model");
  EXPECT_EQ(message("#version: 1\n#model-bytes: 3\n" + body + "a\na\nabc"), "x.pieces:8: the entry 'a' is repeated");
}

}  // namespace
}  // namespace heed::text
