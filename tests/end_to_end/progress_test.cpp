// What a terminal shows of a command that takes long.
#include "progress.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

using apps::progress_text;
using apps::time_to_go;

TEST(ProgressText, HasRateAndTimeToGo) {
  EXPECT_EQ(progress_text("lines", 1200, 5000, 4), "1,200 of 5,000 lines, 300 lines/s, 13 s to go");
  EXPECT_EQ(progress_text("lines", 1200, std::nullopt, 4), "1,200 lines, 300 lines/s");
  EXPECT_EQ(progress_text("merges", 5000, 5000, 4), "5,000 of 5,000 merges, 1250 merges/s");
  EXPECT_EQ(progress_text("lines", 0, 0, 0), "0 of 0 lines");
}

TEST(TimeToGo, IsToldOnceItIsKnown) {
  EXPECT_EQ(time_to_go(0.25, 60), "3 min 00 s to go");
  EXPECT_EQ(time_to_go(0.25, 0.1), "") << "too early to say";
  EXPECT_EQ(time_to_go(0, 60), "");
  EXPECT_EQ(time_to_go(1, 60), "");
}

/// What `heed ARGUMENTS...` writes to a terminal that is its standard error, and to standard output if that is one too.
std::string on_terminal(const std::vector<std::string>& arguments, bool output_too = false) {
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (process == 0) {
    if (!output_too) dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    std::string program = heed_path();
    std::vector<std::string> words = arguments;
    std::vector<char*> pointers{program.data()};
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(program.c_str(), pointers.data());
    _exit(127);
  }
  std::string shown;
  char buffer[4096];
  for (ssize_t size; (size = read(terminal, buffer, sizeof buffer)) > 0;)
    shown.append(buffer, static_cast<size_t>(size));
  close(terminal);
  int status = -1;
  waitpid(process, &status, 0);
  EXPECT_EQ(status, 0) << shown;
  return shown;
}

class ShownProgress : public testing::Test {
 protected:
  static std::string model(const std::string& file = "") {
    return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1" + file;
  }
  /// Enough lines for more than a second.
  std::string many_lines(const std::string& file, int times = 800) {
    const std::string once = read_file(model("/" + file));
    std::string text;
    for (int i = 0; i < times; ++i) text += once;
    return folder.file(file, text);
  }
  static bool has(const std::string& shown, const std::string& pattern) {
    return std::regex_search(shown, std::regex(pattern));
  }

  Folder folder;
};

TEST_F(ShownProgress, OfATranslationHasTheTimeToGo) {
  const std::string shown = on_terminal(
      {"translate", "--model", model(), "--input", many_lines("input.txt"), "--search.beam", "20", "--threads", "1"});
  EXPECT_TRUE(has(shown, "heed: [0-9,]+ of [0-9,]+ lines, [0-9]+ lines/s, [0-9]+ s to go, [0-9]+ source tokens/s"))
      << shown;
  EXPECT_EQ(shown.back(), '\n');
}

TEST_F(ShownProgress, OfScoresCountsPairs) {
  const std::string source = many_lines("input.txt", 6000), target = many_lines("expected.txt", 6000);
  const std::string shown =
      on_terminal({"score", "--model", model(), "--source", source, "--target", target, "--threads", "1"});
  EXPECT_TRUE(has(shown, "heed: [0-9,]+ of [0-9,]+ pairs, [0-9]+ pairs/s")) << shown;
}

TEST_F(ShownProgress, OfWordVectorsIsAShare) {
  const std::string shown =
      on_terminal({"embeddings", "train", "--input", many_lines("input.txt"), "--epochs", "1000"});
  EXPECT_TRUE(has(shown, "heed: [0-9.]+%, loss [0-9.]+, [0-9]+ tokens/s, [0-9]+ s to go")) << shown;
}

TEST_F(ShownProgress, IsNotInTheMidstOfResults) {
  const std::string input = many_lines("input.txt");
  const std::string shown =
      on_terminal({"translate", "--model", model(), "--input", input, "--search.beam", "20", "--threads", "1"}, true);
  EXPECT_FALSE(has(shown, "lines/s")) << shown.substr(0, 300);
}

TEST_F(ShownProgress, IsNotInFiles) {
  const std::string input = many_lines("input.txt");
  const Result result =
      heed({"translate", "--model", model(), "--input", input, "--search.beam", "20", "--threads", "1"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.errors, "");
}

}  // namespace
}  // namespace heed::end_to_end
