#include "heed/core/files/append_file.h"

#include <limits>

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

constexpr int64_t kAll = std::numeric_limits<int64_t>::max();

TEST(AppendFile, GoesOnBehindWhatIsKept) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("grows");
  {
    AppendFile file(path, 0);
    file.write("one\ntwo\nthr");
    file.finish();
  }
  AppendFile file(path, 8);
  EXPECT_EQ(read_file(path), "one\ntwo\n") << "the rest is gone";
  file.write("three\n");
  file.flush();
  EXPECT_EQ(read_file(path), "one\ntwo\nthree\n");
}

TEST(AppendFile, SaysWhyItCannotBeWritten) {
  EXPECT_EQ(testing::message_of<FileError>([] { AppendFile("/no/such/folder/file", 0); }),
            "/no/such/folder/file: cannot write: No such file or directory");
}

TEST(WholeLines, HaveTheirEnd) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("lines");
  EXPECT_EQ(whole_lines(path, kAll).lines, 0) << "there is no file";
  const auto of = [&](const std::string& content, int64_t most = kAll) {
    write_file(path, content);
    const WholeLines whole = whole_lines(path, most);
    return std::pair(whole.lines, whole.bytes);
  };
  using Lines = std::pair<int64_t, uint64_t>;
  EXPECT_EQ(of(""), Lines(0, 0));
  EXPECT_EQ(of("one"), Lines(0, 0));
  EXPECT_EQ(of("one\n\nthr"), Lines(2, 5));
  EXPECT_EQ(of("one\n\n"), Lines(2, 5));
  EXPECT_EQ(of("one\n\xff\r\n", 1), Lines(1, 4));
  EXPECT_EQ(of("one\n\xff\r\n"), Lines(2, 7));
}

}  // namespace
}  // namespace heed
