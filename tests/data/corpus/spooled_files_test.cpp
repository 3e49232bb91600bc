#include "heed/data/corpus/spooled_files.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/unpacked_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::data {
namespace {

using testing::message_of;

struct Streams : ::testing::Test {
  std::string write(const std::string& name, const std::string& content) {
    write_file(directory.file(name), content);
    return directory.file(name);
  }
  /// A pipe that is written into as soon as somebody reads it.
  std::string pipe_with(const std::string& content) {
    const std::string path = directory.file("pipe");
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    writer = std::jthread([path, content] {
      const int descriptor = open(path.c_str(), O_WRONLY);
      EXPECT_EQ(::write(descriptor, content.data(), content.size()), static_cast<ssize_t>(content.size()));
      close(descriptor);
    });
    return path;
  }
  testing::TemporaryDirectory directory;
  std::jthread writer;
};

using Lines = std::vector<std::string>;

Lines targets(const CorpusFiles& files) {
  PairReader reader(files);
  Lines lines;
  for (TextPair pair; reader.next(pair);) lines.push_back(pair.target);
  return lines;
}

CorpusFiles target_alone(const std::string& path) { return {.source = {}, .target = {path}, .pairs = {}}; }

TEST_F(Streams, APipeIsCopiedAndAFileLeftAlone) {
  const auto plain = write("a", "one\n");
  SpooledFiles text({.source = {}, .target = {plain, pipe_with("two\nthree")}, .pairs = {}}, directory.file("kept"));
  EXPECT_EQ(text.files().target, (Lines{plain, directory.file("kept.0.new")}));
  for (int time = 0; time < 2; ++time) EXPECT_EQ(targets(text.files()), (Lines{"one", "two", "three"}));
  text.keep();
  EXPECT_EQ(text.files().target, (Lines{plain, directory.file("kept.0")}));
  EXPECT_EQ(targets(text.files()), (Lines{"one", "two", "three"}));
}

TEST_F(Streams, WeightsFromAPipeAreReadAgainToo) {
  CorpusFiles given = target_alone(write("a", "one\ntwo\n"));
  given.weights = {pipe_with("2\n3\n")};
  const SpooledFiles text(given, directory.file("kept"));
  for (int time = 0; time < 2; ++time) {
    PairReader reader(text.files());
    std::vector<float> weights;
    for (TextPair pair; reader.next(pair);) weights.push_back(pair.weight);
    EXPECT_EQ(weights, (std::vector<float>{2, 3}));
  }
}

TEST_F(Streams, ACopyThatIsNotKeptChangesNothing) {
  write("kept.0", "before\n");
  { const SpooledFiles text(target_alone(pipe_with("after\n")), directory.file("kept")); }
  EXPECT_EQ(read_file(directory.file("kept.0")), "before\n");
  EXPECT_FALSE(std::filesystem::exists(directory.file("kept.0.new")));
}

TEST_F(Streams, MessagesNameTheStreamAndNotTheCopy) {
  const std::string pipe = pipe_with("one\nt\xffwo\n");
  const auto target = write("b", "eins\n");
  SpooledFiles text({.source = {pipe}, .target = {target}, .pairs = {}}, directory.file("kept"));
  text.keep();
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(text.files()); }),
            pipe + ":2: expected UTF-8 text, found the byte 0xFF at byte 2 of the line");
  EXPECT_EQ(message_of<InputError>([&] { count_pairs(text.files(), {.invalid_text = InvalidText::Replace}); }),
            pipe + " has 2 lines, " + target + " has 1 line; line n of the one must belong to line n of the other");
  PairReader reader({.source = {}, .target = text.files().source, .pairs = {}}, {.invalid_text = InvalidText::Replace});
  for (TextPair pair; reader.next(pair);) {}
  EXPECT_EQ(reader.replaced_lines(), 1);
}

TEST_F(Streams, StandardInputIsCopied) {
  const int saved = dup(STDIN_FILENO);
  const int descriptor = open(write("in", "eins\n").c_str(), O_RDONLY);
  ASSERT_EQ(dup2(descriptor, STDIN_FILENO), STDIN_FILENO);
  const SpooledFiles text(target_alone("-"), directory.file("kept"));
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(descriptor);
  EXPECT_EQ(targets(text.files()), Lines{"eins"});
  EXPECT_EQ(text.files().names.begin()->second, "standard input");
}

TEST_F(Streams, KeptCopiesAreFoundWhereTheirDirectoryIsNow) {
  const std::string prefix = directory.file("train.text");
  write("train.text.0", "eins\n");
  const std::string other = write("other", "zwei\n");
  const CorpusFiles files{.source = {"gone/train.text.0"}, .target = {other, "gone/train.text.1"}, .pairs = {}};
  const CorpusFiles found = found_again(files, prefix);
  EXPECT_EQ(found.source, Lines{prefix + ".0"});
  EXPECT_EQ(found.target, (Lines{other, "gone/train.text.1"})) << "what is nowhere stays missing";
}

TEST_F(Streams, StreamsAreKnown) {
  const auto plain = write("a", "");
  const std::string pipe = directory.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(is_stream("-"));
  EXPECT_TRUE(is_stream(pipe));
  EXPECT_TRUE(is_stream("/dev/null"));
  EXPECT_FALSE(is_stream(plain));
  EXPECT_FALSE(is_stream("/nowhere/a"));
  EXPECT_TRUE(has_stream({.source = {plain}, .target = {plain, pipe}, .pairs = {}}));
  EXPECT_FALSE(has_stream({.source = {plain}, .target = {plain}, .pairs = {}}));
}

}  // namespace
}  // namespace heed::data
