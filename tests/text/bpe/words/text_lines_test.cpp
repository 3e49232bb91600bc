#include "heed/text/bpe/words/text_lines.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::text {
namespace {

using Texts = std::vector<std::string>;

Texts lines_of(std::string_view text, LineEnds ends) {
  Texts lines;
  for_each_line(text, ends, [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

TEST(TextLines, EndWherePythonEndsThem) {
  EXPECT_EQ(lines_of("a\nb\r\nc\rd\x0b"
                     "e\x0c"
                     "f\x1cg\x1dh\x1ei\u0085j\u2028k\u2029l",
                     LineEnds::Unicode),
            (Texts{"a\n", "b\r\n", "c\r", "d\x0b", "e\x0c", "f\x1c", "g\x1d", "h\x1e", "i\u0085", "j\u2028", "k\u2029",
                   "l"}));
  // Neighbors of the separators, and characters that begin with the same bytes, end nothing.
  const std::string plain = "a\tb\x1f\u0084c\u0086\u00a0\u2027d\u202a\u20ac\x08\x0e";
  EXPECT_EQ(lines_of(plain, LineEnds::Unicode), (Texts{plain}));
  EXPECT_EQ(lines_of("a\x0b\u2028"
                     "b\nc",
                     LineEnds::Bytes),
            (Texts{"a\x0b\u2028"
                   "b\n",
                   "c"}));
}

TEST(TextLines, EndsAndWordsAreToldApart) {
  const SpacedLine parts = split_ends(" \r a  b\tc \n");
  EXPECT_EQ(parts.leading, " \r ");
  EXPECT_EQ(parts.words, "a  b\tc");
  EXPECT_EQ(parts.trailing, " \n");
  Texts words;
  for_each_word(parts.words, [&](std::string_view word) { words.emplace_back(word); });
  EXPECT_EQ(words, (Texts{"a", "b\tc"}));
  EXPECT_EQ(split_ends(" \n").leading, " \n");
  EXPECT_EQ(split_ends("\u3000").words, "\u3000");
}

TEST(TextLines, BlocksAreWholeLinesAndLoseNothing) {
  const heed::testing::TemporaryDirectory directory;
  std::string content;
  for (int i = 0; i < 50000; ++i) content += "line " + std::to_string(i) + (i % 7 == 0 ? "\r\n" : "\n");
  content += "last\r";
  write_file(directory.file("text"), content);
  TextBlocks blocks(directory.file("text"), LineEnds::Unicode);
  std::string together;
  int64_t count = 0;
  for (std::string block; blocks.next(block); ++count) {
    EXPECT_TRUE(block.ends_with('\n') || block.ends_with("last\r"));
    together += block;
  }
  EXPECT_EQ(together, content);
  EXPECT_GT(count, 2);
}

TEST(TextLines, UniversalLineEndsAreReadAsLf) {
  const heed::testing::TemporaryDirectory directory;
  write_file(directory.file("text"), "a\r\nb\rc\r\r\nd\u2028\r");
  TextBlocks blocks(directory.file("text"), LineEnds::Universal);
  std::string block;
  ASSERT_TRUE(blocks.next(block));
  EXPECT_EQ(block, "a\nb\nc\n\nd\u2028\n");
}

TEST(TextLines, OnlyBytesNeedNotBeUtf8) {
  const heed::testing::TemporaryDirectory directory;
  const std::string path = directory.file("text");
  write_file(path, "fine\n\xff\n");
  std::string block;
  EXPECT_EQ(heed::testing::message_of<InputError>([&] { TextBlocks(path, LineEnds::Unicode).next(block); }),
            path + ":2: expected UTF-8 text, found the byte 0xFF at byte 1 of the line");
  ASSERT_TRUE(TextBlocks(path, LineEnds::Bytes).next(block));
  EXPECT_EQ(block, "fine\n\xff\n");
}

}  // namespace
}  // namespace heed::text
