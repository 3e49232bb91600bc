#include "heed/core/text/shell_word.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "heed/core/text/printable.h"

namespace heed {
namespace {

/// What a shell makes of the words of a command line.
std::string expanded_by(const std::string& shell, const std::string& words) {
  setenv("HEED_LINE", ("printf %s " + words).c_str(), 1);
  FILE* pipe = popen((shell + " -c \"$HEED_LINE\"").c_str(), "r");
  std::string output;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  pclose(pipe);
  return output;
}

TEST(ShellPath, LeavesPlainPathsAsTheyAre) {
  for (const std::string path : {"models/en-de", "a_b.c,d@1:2%+=", "modèles/中文", "../x"})
    EXPECT_EQ(shell_path(path), path);
}

TEST(ShellPath, QuotesWhatAShellTakesForItsOwn) {
  EXPECT_EQ(shell_path("my model"), "'my model'");
  EXPECT_EQ(shell_path("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_path("$HOME/*"), "'$HOME/*'");
  EXPECT_EQ(shell_path("~/m"), "'~/m'");
  EXPECT_EQ(shell_path(""), "''");
  EXPECT_EQ(shell_path("-model"), "./-model");
  EXPECT_EQ(shell_path("a\nb\\'"), "$'a\\nb\\\\\\''");
}

TEST(ShellPath, IsOneWordThatTheShellReadsBack) {
  for (const std::string path : {"a b", "a'b''c", "$(touch x)`y`", "a\"b\\c", "#a", "a;b&c|d<e>f", "*?[a]", "!!",
                                 "{a,b}", "a\tb", "a\nb\x1b\\", "\xff'"}) {
    const std::string word = shell_path(path);
    EXPECT_EQ(printable_message(word), word) << "pasted from a terminal";
    EXPECT_EQ(expanded_by("bash", word), path) << word;
    if (printable(path) != path) continue;
    EXPECT_EQ(expanded_by("sh", word), path) << word;
  }
}

}  // namespace
}  // namespace heed
