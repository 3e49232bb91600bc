#include "heed/vectors/word_counts.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::vectors {
namespace {

TEST(WordCounts, FrequentWordsComeFirstAndRareOnesAreLeftOut) {
  const testing::TemporaryDirectory directory;
  write_file(directory.file("a"), "b a b\n\nc a\n");
  write_file(directory.file("b"), "a d\n");
  const CountedText text = count_words({directory.file("a"), directory.file("b")}, 2);
  EXPECT_EQ(text.words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(text.counts, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(text.lines, (std::vector<std::vector<int32_t>>{{1, 0, 1}, {}, {0}, {0}}));
  EXPECT_EQ(text.tokens, 5);
  EXPECT_EQ(testing::message_of<Error>([&] { count_words({directory.file("a")}, 9); }),
            "no word occurs 9 times or more in the text (--min-count)");
}

}  // namespace
}  // namespace heed::vectors
