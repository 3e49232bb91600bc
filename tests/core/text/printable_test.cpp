#include "heed/core/text/printable.h"

#include <gtest/gtest.h>

#include "heed/core/text/unicode.h"

namespace heed {
namespace {

TEST(Printable, EscapesWhatSteersATerminal) {
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(printable(std::string_view("\0\x1b[31m\x7f", 7)), "\\x00\\x1b[31m\\x7f");
  EXPECT_EQ(printable("\u0080\u009b\u009f"), "\\x80\\x9b\\x9f");
  EXPECT_EQ(printable("\u2028\u2029"), "\\u2028\\u2029");
  EXPECT_EQ(printable("\u202a\u202b\u202c\u202d\u202e"), "\\u202a\\u202b\\u202c\\u202d\\u202e");
  EXPECT_EQ(printable("\u2066\u2067\u2068\u2069"), "\\u2066\\u2067\\u2068\\u2069");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("a\xff\xfe z"), "a\\xff\\xfe z");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");           // cut off
  EXPECT_EQ(printable("\xed\xa0\xbd"), "\\xed\\xa0\\xbd");  // a surrogate
  EXPECT_EQ(printable("\xe2\x82\xac\x9b"), "\u20ac\\x9b");  // a control character of Latin-1
}

TEST(Printable, LeavesOtherText) {
  const std::string text = "sch\u00f6n \u4f60\u597d \u05e9\u05dc\u05d5\u05dd \U0001f600 e\u0301 \\ ` \" \u00a0|";
  EXPECT_EQ(printable(text), text);
}

TEST(Printable, TwiceIsOnce) {
  const std::string once = printable("a\nb\x1b\\n\xff\u202e");
  EXPECT_EQ(printable(once), once);
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(shortened("0123456789012345678901234", 25), "0123456789012345678901234");
  EXPECT_EQ(shortened("01234567890123456789012345", 25), "0123456789012 ... 9012345");
  const std::string path = "/data/" + std::string(5000, 'x') + "/train.en";
  const std::string shown = shortened(path, 100);
  EXPECT_EQ(shown.size(), 100);
  EXPECT_TRUE(shown.starts_with("/data/xxx") && shown.ends_with("xxx/train.en")) << shown;
}

TEST(Shortened, CutsNoCharacterInTwo) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\u20ac";
  for (size_t longest = 20; longest < 60; ++longest) {
    const std::string shown = shortened(text, longest);
    EXPECT_LE(shown.size(), longest);
    EXPECT_GT(shown.size() + 6, longest);
    EXPECT_FALSE(first_invalid_utf8(shown).has_value()) << longest;
  }
}

/// What is quoted is shortened, what is said of it stays.
TEST(PrintableMessage, ShortensQuotations) {
  const std::string quoted(60000, 'y');
  const std::string shown =
      printable_message("a.toml:3: `" + quoted + "` must be a number, but is \"" + quoted + "\".");
  EXPECT_LT(shown.size(), 1100);
  EXPECT_TRUE(shown.starts_with("a.toml:3: `yyy")) << shown;
  EXPECT_NE(shown.find("yyy` must be a number, but is \"yyy"), std::string::npos) << shown;
  EXPECT_TRUE(shown.ends_with("yyy\".")) << shown;
}

TEST(PrintableMessage, IsOneLineOfBoundedLength) {
  std::string message;
  for (int i = 0; i < 10000; ++i) message += "`\x1b[2J\n`";
  const std::string shown = printable_message(message);
  EXPECT_LE(shown.size(), 1500);
  EXPECT_EQ(printable(shown), shown);
  EXPECT_EQ(printable_message(shown), shown);
  EXPECT_EQ(printable_message("plain, with `one` quotation\n"), "plain, with `one` quotation\\n");
}

}  // namespace
}  // namespace heed
