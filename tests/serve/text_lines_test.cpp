#include "heed/serve/text_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heed::serve {
namespace {

using Lines = std::vector<std::string>;

std::string in_brackets(const TextLines& texts, size_t text) {
  return texts.translated(text, [&](size_t line) { return "[" + texts.lines()[line] + "]"; });
}

TEST(TextLines, KeepWhatIsNotTranslated) {
  TextLines texts;
  texts.add("a b\n\n \t\r\nc  \r\nd");
  texts.add("");
  texts.add(" e\n");
  EXPECT_EQ(texts.lines(), (Lines{"a b", "c", "d", " e"}));
  ASSERT_EQ(texts.texts(), 3U);
  EXPECT_EQ(in_brackets(texts, 0), "[a b]\n\n \t\r\n[c]  \r\n[d]");
  EXPECT_EQ(in_brackets(texts, 1), "");
  EXPECT_EQ(in_brackets(texts, 2), "[ e]\n");
}

}  // namespace
}  // namespace heed::serve
