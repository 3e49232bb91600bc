#include "heed/core/files/mapped_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, ShowsTheBytesOfTheFile) {
  const testing::TemporaryDirectory directory;
  write_file(directory.file("a"), std::string("a\0b", 3));
  EXPECT_EQ(text_of(MappedFile(directory.file("a"))), std::string("a\0b", 3));
  write_file(directory.file("empty"), "");
  EXPECT_TRUE(MappedFile(directory.file("empty")).bytes().empty());
  EXPECT_TRUE(MappedFile().bytes().empty());
}

TEST(MappedFile, ADirectoryIsNone) {
  const testing::TemporaryDirectory directory;
  EXPECT_EQ(testing::message_of<FileError>([&] { MappedFile(directory.path()); }),
            directory.path() + ": cannot read: Is a directory");
}

TEST(MappedFile, ShowsTheSameHoweverItIsRead) {
  const testing::TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += static_cast<char>(i % 251);
  write_file(directory.file("a"), text);
  const MappedFile file(directory.file("a"));
  file.expect_scattered();
  file.fetch(file.bytes().subspan(5000, 20'000));
  file.fetch(file.bytes().last(0));
  EXPECT_EQ(text_of(file), text);
  file.release(file.bytes());
  EXPECT_EQ(text_of(file), text);
  MappedFile().expect_scattered();
  MappedFile().fetch({});
}

TEST(MappedFile, MovesWithoutCopying) {
  const testing::TemporaryDirectory directory;
  write_file(directory.file("a"), "first");
  write_file(directory.file("b"), "second");
  MappedFile first(directory.file("a"));
  const std::byte* data = first.bytes().data();
  MappedFile moved(std::move(first));
  EXPECT_EQ(moved.bytes().data(), data);
  moved = MappedFile(directory.file("b"));
  EXPECT_EQ(text_of(moved), "second");
}

TEST(MappedFile, PrivateMemoryIsWrittenWithoutTheFile) {
  const testing::TemporaryDirectory directory;
  write_file(directory.file("a"), "text");
  MappedFile mapped(directory.file("a"), Mapping::Private);
  mapped.writable_bytes()[0] = std::byte{'n'};
  EXPECT_EQ(text_of(mapped), "next");
  EXPECT_EQ(text_of(MappedFile(directory.file("a"))), "text");
  MappedFile read_only(directory.file("a"));
  EXPECT_THROW(read_only.writable_bytes(), std::logic_error);
}

TEST(MappedFileDeath, AFileThatIsCutOffWhileItIsInUseIsNamed) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("a");
  const auto read_cut_off = [&] {
    write_file(path, std::string(1 << 20, 'x'));
    write_file(directory.file("b"), "other");
    const MappedFile gone(path);
    MappedFile first(path, Mapping::Private);
    const MappedFile moved(std::move(first)), other(directory.file("b"));
    std::filesystem::resize_file(path, 100);
    static_cast<void>(text_of(moved));
  };
  EXPECT_EXIT(read_cut_off(), ::testing::ExitedWithCode(1),
              "^heed: " + path + ": was truncated while it was in use, or its disk cannot be read\n$");
}

TEST(MappedFileDeath, OtherBusErrorsEndTheProcessAsBefore) {
  const testing::TemporaryDirectory directory;
  write_file(directory.file("a"), "text");
  EXPECT_EXIT(
      {
        const MappedFile file(directory.file("a"));
        std::raise(SIGBUS);
      },
      ::testing::KilledBySignal(SIGBUS), "^$");
}

TEST(MappedFile, SaysWhatCannotBeMapped) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("none");
  EXPECT_EQ(testing::message_of<FileError>([&] { MappedFile file(path); }),
            path + ": cannot open: No such file or directory");
  EXPECT_THROW(MappedFile(directory.path()), FileError);
  const std::string pipe = directory.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(testing::message_of<InputError>([&] { MappedFile file(pipe); }),
            pipe + ": expected a regular file, found a pipe");
}

}  // namespace
}  // namespace heed
