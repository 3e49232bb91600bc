#include "heed/core/files/atomic_file.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <thread>

#include "heed/core/error.h"
#include "heed/core/files/temporary_name.h"
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

TEST(AtomicFile, WhatWasWrittenMayBeWrittenOver) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.txt");
  AtomicFile file(path);
  file.write("hello world");
  file.write_at(0, "jelly");
  file.write("!");
  file.commit();
  EXPECT_EQ(read_file(path), "jelly world!");
  AtomicFile none("/dev/null");
  EXPECT_EQ(message_of<FileError>([&] { none.write_at(0, "x"); }), "/dev/null: cannot write: Illegal seek");
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

TEST(AtomicFile, RefusesADirectoryAtOnce) {
  const TemporaryDirectory directory;
  EXPECT_EQ(message_of<FileError>([&] { AtomicFile file(directory.path()); }),
            directory.path() + ": cannot write: Is a directory");
}

TEST(AtomicFile, RefusesAnEmptyName) {
  EXPECT_EQ(message_of<FileError>([] { AtomicFile file(""); }), "\"\": cannot write: No such file or directory");
}

TEST(AtomicFile, FollowsLinks) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.file("real"));
  for (const char* name : {"there", "missing"}) {
    const std::string link = directory.file(name);
    const std::string target = directory.file("real") + "/" + name;
    std::filesystem::create_symlink(std::string("real/") + name, link);
    std::filesystem::create_symlink(link, link + ".absolute");
    if (name == std::string("there")) write_file(target, "old");
    write_file(link + ".absolute", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_TRUE(std::filesystem::is_symlink(link + ".absolute"));
    EXPECT_EQ(read_file(target), "new");
  }
  EXPECT_EQ(files_in(directory), 5);
}

TEST(AtomicFile, WritesIntoAPipe) {
  const TemporaryDirectory directory;
  const std::string pipe = directory.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  write_file(pipe, "hello");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  std::string received(9, ' ');
  received.resize(static_cast<size_t>(std::max<ssize_t>(0, read(reader, received.data(), received.size()))));
  close(reader);
  EXPECT_EQ(received, "hello");
}

TEST(AtomicFile, GoesOnWithWhatIsOpenAlready) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("log");
  const int log = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(write(log, "begin ", 6), 6);
  const std::string name = "/dev/fd/" + std::to_string(log);
  std::filesystem::create_symlink(name, directory.file("link"));
  write_file(name, "middle ");
  write_file(directory.file("link"), "end");
  close(log);
  EXPECT_EQ(read_file(path), "begin middle end");
  EXPECT_EQ(files_in(directory), 2);
}

TEST(AtomicFile, WhatIsOpenForReadingAloneIsRefusedAtOnce) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("log");
  write_file(path, "old");
  const int log = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const std::string name = "/dev/fd/" + std::to_string(log);
  EXPECT_EQ(message_of<FileError>([&] { AtomicFile file(name); }), name + ": cannot write: Bad file descriptor");
  close(log);
  EXPECT_EQ(read_file(path), "old");
}

TEST(AtomicFile, AKilledProcessLeavesNothing) {
  const TemporaryDirectory directory;
  const int nameless = open(directory.path().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
  if (nameless < 0) GTEST_SKIP() << "this file system has no nameless files";
  close(nameless);
  AtomicFile file(directory.file("a"));
  file.write("hello");
  EXPECT_EQ(files_in(directory), 0) << "what has no name goes with its process";
  file.commit();
  EXPECT_EQ(read_file(directory.file("a")), "hello");
}

TEST(AtomicFile, SaysWhatTheSystemRefused) {
  EXPECT_EQ(message_of<FileError>([] { write_file("/nowhere/a", ""); }),
            "/nowhere/a: cannot write: No such file or directory");
  EXPECT_EQ(message_of<FileError>([] { read_file("/nowhere/a"); }),
            "/nowhere/a: cannot open: No such file or directory");
  EXPECT_EQ(message_of<FileError>([] { read_file("/"); }), "/: cannot read: Is a directory");
  EXPECT_EQ(message_of<FileError>([] { sync_directory("/nowhere"); }),
            "/nowhere: cannot open: No such file or directory");
}

TEST(AtomicFile, SeveralAppearTogether) {
  const TemporaryDirectory directory;
  write_file(directory.file("a"), "old");
  AtomicFile a(directory.file("a")), b(directory.file("b")), null("/dev/null");
  a.write("1");
  b.write("2");
  commit_all(std::array{&a, &null, &b});
  EXPECT_EQ(read_file(directory.file("a")), "1");
  EXPECT_EQ(read_file(directory.file("b")), "2");
  EXPECT_EQ(files_in(directory), 2);
}

TEST(AtomicFile, OfSeveralNoneAppearsWhereOneCannot) {
  const TemporaryDirectory directory;
  write_file(directory.file("old"), "old");
  AtomicFile old(directory.file("old")), fresh(directory.file("fresh")), last(directory.file("last"));
  for (AtomicFile* file : {&old, &fresh, &last}) file->write("new");
  std::filesystem::create_directories(directory.file("last"));
  EXPECT_EQ(message_of<FileError>([&] { commit_all(std::array{&old, &fresh, &last}); }),
            directory.file("last") + ": cannot write: Is a directory");
  EXPECT_EQ(read_file(directory.file("old")), "old");
  EXPECT_FALSE(std::filesystem::exists(directory.file("fresh")));
  EXPECT_EQ(files_in(directory), 2);
}

/// The old file has a temporary name until all have taken their places.
TEST(AtomicFile, OfSeveralGivesTheOldOneBackWhileAnotherProcessCleansUp) {
  const TemporaryDirectory directory;
  const std::string old_path = directory.file("old"), last_path = directory.file("last");
  write_file(old_path, "old");
  std::atomic<bool> done = false;
  std::thread cleaner([&] {
    while (!done) remove_abandoned_of(old_path);
  });
  for (int i = 0; i < 200; ++i) {
    AtomicFile old(old_path), last(last_path);
    for (AtomicFile* file : {&old, &last}) file->write("new");
    std::filesystem::create_directory(last_path);
    EXPECT_THROW(commit_all(std::array{&old, &last}), FileError);
    std::filesystem::remove(last_path);
  }
  done = true;
  cleaner.join();
  EXPECT_EQ(read_file(old_path), "old");
  EXPECT_EQ(files_in(directory), 1);
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
