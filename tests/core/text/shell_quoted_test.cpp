#include "heed/core/text/shell_quoted.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(ShellQuoted, LeavesPlainWordsAsTheyAre) {
  for (const std::string word : {"models/en-de", "--train.max-minutes", "20", "a_b@c%d+e=f:g,h", "modèles/größe"}) {
    EXPECT_EQ(shell_quoted(word), word);
  }
}

TEST(ShellQuoted, QuotesWhatAShellReadsOtherwise) {
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("my models/en de"), "'my models/en de'");
  EXPECT_EQ(shell_quoted("$HOME/*"), "'$HOME/*'");
  EXPECT_EQ(shell_quoted("~/m"), "'~/m'");
  EXPECT_EQ(shell_quoted("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_quoted("a\nb"), "'a\nb'");
}

}  // namespace
}  // namespace heed
