// Pipes as users of filters expect them: what can be read is answered, a reader that goes away ends the program
// quietly.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <map>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/line_reader.h"

namespace heed::end_to_end {
namespace {

std::string model(const std::string& file = "") {
  return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1" + file;
}

class Pipes : public testing::Test {
 protected:
  std::string pipe(const std::string& name) const {
    const std::string path = folder.path(name);
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    return path;
  }
  /// What a program has written, up to the next line end.
  static std::string line_from(int descriptor) {
    std::string line;
    for (char byte = 0; byte != '\n' && read(descriptor, &byte, 1) == 1;) line += byte;
    return line;
  }
  static void send(int descriptor, std::string_view text) {
    ASSERT_EQ(write(descriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  /// Runs a command whose output nobody reads.
  static Result unread(const Words& command, const std::string& input = "") {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    close(ends[0]);
    Program program(command, input, "/dev/fd/" + std::to_string(ends[1]));
    Result result = program.wait();
    close(ends[1]);
    return result;
  }

  Folder folder;
};

TEST_F(Pipes, EachLineIsAnsweredWhenTheSenderWaits) {
  const std::string in = pipe("in"), out = pipe("out");
  Program program({"translate", "--model", model(), "--threads", "1", "--input", in}, "", out);
  const int answers = open(out.c_str(), O_RDONLY), lines = open(in.c_str(), O_WRONLY);
  send(lines, "\n");
  EXPECT_EQ(line_from(answers), "\n") << "a blank line is one too";
  send(lines, "one two three\n");
  EXPECT_EQ(line_from(answers), "drei zwei eins\n");
  send(lines, "four\nfive six\nse");
  EXPECT_EQ(line_from(answers), "vier\n");
  EXPECT_EQ(line_from(answers), "sechs fünf\n");
  send(lines, "ven");
  close(lines);
  EXPECT_EQ(line_from(answers), "sieben\n") << "the last line has no end";
  EXPECT_EQ(line_from(answers), "");
  close(answers);
  EXPECT_EQ(program.wait().code, 0);
}

TEST_F(Pipes, AnswersStandWhereALaterLineIsRefused) {
  const std::string in = pipe("in"), out = pipe("out");
  Program program({"translate", "--model", model(), "--threads", "1", "--input", in}, "", out);
  const int answers = open(out.c_str(), O_RDONLY), lines = open(in.c_str(), O_WRONLY);
  send(lines, "one\n");
  EXPECT_EQ(line_from(answers), "eins\n");
  send(lines, "\xff\n");
  EXPECT_EQ(line_from(answers), "");
  const Result result = program.wait();  // though the sender still waits
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.errors, "heed: " + in + ":2: expected UTF-8 text, found the byte 0xFF at byte 1 of the line\n");
  close(lines);
  close(answers);
}

TEST_F(Pipes, AReaderThatGoesAwayEndsEveryCommandQuietly) {
  std::string lines, other;
  for (int i = 0; i < 20000; ++i) {
    lines += "one two\n";
    other += "zwei eins\n";
  }
  const std::string source = folder.file("source", lines), target = folder.file("target", other);
  const std::map<std::string, Words> commands{
      {"translate", {"translate", "--model", model(), "--input", source}},
      {"score", {"score", "--model", model(), "--source", source, "--target", target}},
      {"align", {"align", "--model", model(), "--source", source, "--target", target}},
      {"tokenize", {"tokenize", "--tokenizer", model("/source.words"), "--input", source}},
      {"evaluate", {"evaluate", "--reference", target, target}},
      {"help", {"help"}},
  };
  for (const auto& [name, command] : commands) {
    const Result result = unread(command);
    EXPECT_EQ(result.code, 128 + SIGPIPE) << name;
    EXPECT_EQ(result.errors, "") << name;
  }
}

TEST_F(Pipes, AnOutputThatEndsInGzIsCompressed) {
  const std::string plain = folder.path("plain"), packed = folder.path("packed.gz");
  for (const std::string& output : {plain, packed}) {
    ASSERT_EQ(heed({"translate", "--model", model(), "--input", model("/input.txt"), "--output", output}).code, 0);
  }
  EXPECT_TRUE(read_file(packed).starts_with("\x1f\x8b"));
  EXPECT_EQ(read_lines(packed), read_lines(plain));
  EXPECT_EQ(heed({"translate", "--model", model(), "--input", model("/input.txt"), "--output", packed}).code, 0);
  EXPECT_EQ(read_lines(packed), read_lines(plain)) << "written over";
}

TEST_F(Pipes, AByteOrderMarkIsDroppedAndKeptWhereSacreBleuKeepsIt) {
  const std::string mark = "\xef\xbb\xbf";
  const Result result = heed({"translate", "--model", model(), "--threads", "1"}, mark + "one two\n");
  EXPECT_EQ(result.output, "zwei eins\n");
  const std::string reference = folder.file("reference", "eins zwei drei vier\n");
  const std::string marked = folder.file("marked", mark + "eins zwei drei vier\n");
  EXPECT_NE(heed({"evaluate", reference, "-i", marked}).output, heed({"evaluate", reference, "-i", reference}).output);
  EXPECT_EQ(heed({"evaluate", "--reference", reference, marked}).output,
            heed({"evaluate", "--reference", reference, reference}).output);
}

}  // namespace
}  // namespace heed::end_to_end
