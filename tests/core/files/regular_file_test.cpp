#include "heed/core/files/regular_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <filesystem>
#include <string>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using testing::message_of;

TEST(RegularFile, IsReadWhole) {
  const testing::TemporaryDirectory directory;
  const std::string content = std::string("a\0b\r\n", 5) + std::string(100'000, 'x');
  write_file(directory.file("a"), content);
  std::filesystem::create_symlink(directory.file("a"), directory.file("link"));
  EXPECT_EQ(read_regular_file(directory.file("a")), content);
  EXPECT_EQ(read_regular_file(directory.file("link")), content);
  write_file(directory.file("empty"), "");
  EXPECT_EQ(read_regular_file(directory.file("empty")), "");
}

TEST(RegularFile, MayBeTooLarge) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("a");
  write_file(path, "12345");
  EXPECT_EQ(read_regular_file(path, 5), "12345");
  EXPECT_EQ(message_of<InputError>([&] { read_regular_file(path, 4); }),
            path + ": expected a file of at most 4 bytes, found 5");
  std::filesystem::resize_file(path, uint64_t{1} << 40);  // a file of holes: nothing is read
  EXPECT_EQ(message_of<InputError>([&] { read_regular_file(path); }),
            path + ": expected a file of at most 1073741824 bytes, found 1099511627776");
}

TEST(RegularFile, OthersAreRefusedWithoutWaiting) {
  const testing::TemporaryDirectory directory;
  const std::string pipe = directory.file("pipe"), endless = directory.file("endless");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", endless);
  EXPECT_EQ(message_of<InputError>([&] { read_regular_file(pipe); }), pipe + ": expected a regular file, found a pipe");
  EXPECT_EQ(message_of<InputError>([&] { read_regular_file(endless); }),
            endless + ": expected a regular file, found a device");
  EXPECT_EQ(message_of<FileError>([&] { read_regular_file(directory.path()); }),
            directory.path() + ": cannot read: Is a directory");
  EXPECT_EQ(message_of<FileError>([&] { read_regular_file(directory.file("none")); }),
            directory.file("none") + ": cannot open: No such file or directory");
}

}  // namespace
}  // namespace heed
