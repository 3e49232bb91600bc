#include "heed/vectors/word_vectors.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::vectors {
namespace {

struct Files : ::testing::Test {
  std::string file(const std::string& content) const {
    write_file(directory.file("v"), content);
    return directory.file("v");
  }
  testing::TemporaryDirectory directory;
};

TEST_F(Files, BothFormatsReadBack) {
  const WordVectors made({"der", "Hund", "\u00e4"}, 2, {0.1F, -2, 1e-8F, 3.5F, 0, 1.0F / 3});
  for (const VectorFormat format : {VectorFormat::Word2vec, VectorFormat::Glove}) {
    const WordVectors read = read_word_vectors(file(format_word_vectors(made, format)));
    EXPECT_EQ(read.words(), made.words());
    ASSERT_EQ(read.width(), 2);
    for (int64_t i = 0; i < 3; ++i) {
      EXPECT_EQ(read.vector(i)[0], made.vector(i)[0]);
      EXPECT_EQ(read.vector(i)[1], made.vector(i)[1]);
    }
  }
  EXPECT_EQ(format_word_vectors(made, VectorFormat::Word2vec).substr(0, 15), "3 2\nder 0.1 -2\n");
  EXPECT_EQ(made.find("Hund"), 1);
  EXPECT_EQ(made.find("Katze"), -1);
}

TEST_F(Files, TheFirstVectorOfAWordCountsAndSpacesMayBeMany) {
  std::vector<std::string> messages;
  set_log_sink([&](LogLevel, std::string_view message) { messages.emplace_back(message); });
  const WordVectors read = read_word_vectors(file("a  1 2 \nb 3 4\na 5 6\n"));
  set_log_sink({});
  EXPECT_EQ(messages, std::vector<std::string>{directory.file("v") +
                                               ": 1 line of words that came before: their first vectors count"});
  EXPECT_EQ(read.words(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read.vector(0)[1], 2);
}

TEST_F(Files, AWordMayHaveSpaces) {
  const WordVectors read = read_word_vectors(file("a 1 2\n. . 3 4\nat a@b 5 6\n"));
  EXPECT_EQ(read.words(), (std::vector<std::string>{"a", ". .", "at a@b"}));
  EXPECT_EQ(read.vector(1)[0], 3);
}

TEST_F(Files, WordsMayLookLikeNumbersAndNumbersBeSmallOrSigned) {
  const WordVectors read = read_word_vectors(file("nan 1e-50 +2\ninf 3 4\n"));
  EXPECT_EQ(read.words(), (std::vector<std::string>{"nan", "inf"}));
  EXPECT_EQ(read.vector(0)[0], 0);
  EXPECT_EQ(read.vector(0)[1], 2);
  EXPECT_EQ(read_word_vectors(file("1 -3\n")).words(), std::vector<std::string>{"1"});
}

TEST_F(Files, WhatIsNoVectorIsNamed) {
  const auto message = [&](const std::string& content) {
    return testing::message_of<Error>([&] { read_word_vectors(file(content)); });
  };
  const std::string path = directory.file("v");
  EXPECT_EQ(message("a 1 2\nb 1\n"), path + ":2: expected a word and 2 numbers, as before, found 1");
  EXPECT_EQ(message("a 1 2\nb 1 x\n"), path + ":2: expected a finite number, found 'x'");
  for (const char* number : {"nan", "inf", "-inf", "1e39"}) {
    EXPECT_EQ(message(std::string("a 1 2\nb 1 ") + number + "\n"),
              path + ":2: expected a finite number, found '" + number + "'");
  }
  EXPECT_EQ(message("a 1 2\na x y\n"), path + ":2: expected a finite number, found 'x'")
      << "of a word that comes again too";
  EXPECT_EQ(message("a\n"), path + ":1: expected a word and the numbers of its vector, with spaces between them");
  EXPECT_EQ(message("2 3\n"), path + ": has no vectors");
  EXPECT_EQ(message("3 2\na 1 2\nb 1 2\n"), path + ": expected 3 words, as its first line says, found 2");
  EXPECT_EQ(message("1 2\na 1 2 3\n"), path + ":2: expected a word and 2 numbers, as the first line says, found 3");
}

}  // namespace
}  // namespace heed::vectors
