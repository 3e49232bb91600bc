#include "heed/core/atomic_file.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <iterator>

#include "heed/core/error.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using testing::message_of;
using testing::TemporaryDirectory;

auto files_in(const TemporaryDirectory& directory) {
  return std::distance(std::filesystem::directory_iterator(directory.path()), {});
}

/// No file may grow beyond `bytes` while this lives: what a full disk does.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    signal_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limited{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*signal_)(int) = nullptr;
};

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.txt");
  {
    AtomicFile file(path);
    file.write("hello ");
    file.write("world");
    EXPECT_FALSE(std::filesystem::exists(path));
    file.commit();
  }
  EXPECT_EQ(read_file(path), "hello world");
  EXPECT_EQ(files_in(directory), 1);
}

TEST(AtomicFile, LeavesTheOldFileWhenNotCommitted) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.txt");
  write_file(path, "old");
  {
    AtomicFile file(path);
    file.write("new");
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(directory), 1);
}

TEST(AtomicFile, AFullDiskLeavesTheOldFileAndNothingElse) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.txt");
  write_file(path, "old");
  std::string message;
  {
    const FileSizeLimit limit(100);
    message = message_of<FileError>([&] { write_file(path, std::string(1000, 'x')); });
  }
  EXPECT_EQ(message, path + ": cannot write: File too large");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(directory), 1);
}

TEST(AtomicFile, AFailedRenameIsAnErrorAndLeavesNoTemporaryFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a");
  AtomicFile file(path);
  std::filesystem::create_directories(path + "/full");
  EXPECT_EQ(message_of<FileError>([&] { file.commit(); }), path + ": cannot write: Is a directory");
  EXPECT_EQ(files_in(directory), 1);
}

TEST(AtomicFile, SaysWhatTheSystemRefused) {
  EXPECT_EQ(message_of<FileError>([] { write_file("/nowhere/a", ""); }), "/nowhere/a: cannot write: No such file or directory");
  EXPECT_EQ(message_of<FileError>([] { read_file("/nowhere/a"); }), "/nowhere/a: cannot open: No such file or directory");
  EXPECT_EQ(message_of<FileError>([] { read_file("/"); }), "/: cannot read: Is a directory");
  EXPECT_EQ(message_of<FileError>([] { sync_directory("/nowhere"); }), "/nowhere: cannot open: No such file or directory");
}

TEST(AtomicFile, KeepsEveryByte) {
  const TemporaryDirectory directory;
  std::string content(100'000, '\0');
  for (size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7);
  write_file(directory.file("b"), content);
  EXPECT_EQ(read_file(directory.file("b")), content);
  write_file(directory.file("b"), "");
  EXPECT_EQ(read_file(directory.file("b")), "");
  EXPECT_NO_THROW(sync_directory(directory.path()));
}

}  // namespace
}  // namespace heed
