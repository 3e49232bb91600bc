#include "heed/core/files/temporary_name.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using testing::TemporaryDirectory;

namespace fs = std::filesystem;

TEST(TemporaryName, IsHiddenBesideTheFile) {
  EXPECT_EQ(temporary_name("folder/a.txt", 3), "folder/.a.txt.heed3.tmp");
  EXPECT_EQ(temporary_name("a", 0), ".a.heed0.tmp");
}

TEST(TemporaryName, IsShortWhereTheFilesIsLong) {
  const std::string longest(255, 'x');
  EXPECT_EQ(temporary_name(longest, 0), "." + longest.substr(0, 100) + ".heed0.tmp");
  const std::string umlauts = "x" + std::string(99, 'y') + "ü";
  EXPECT_EQ(temporary_name(umlauts, 0), ".x" + std::string(99, 'y') + ".heed0.tmp") << "characters stay whole";
  const std::string halves = std::string(99, 'y') + "üü";
  EXPECT_EQ(temporary_name(halves, 0), "." + std::string(99, 'y') + ".heed0.tmp");
}

TEST(TemporaryName, AFileOfTheLongestNameIsWritten) {
  const TemporaryDirectory directory;
  for (const size_t length : {240, 247, 250, 255}) {
    const std::string path = directory.file(std::string(length, 'x'));
    write_file(path, "first");
    write_file(path, "second");
    EXPECT_EQ(read_file(path), "second") << length;
  }
}

TEST(TemporaryName, WhatAnEndedProcessLeftIsRemoved) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a");
  write_file(temporary_name(path, 0), "left");
  write_file(temporary_name(path, 2), "left");
  fs::create_directories(temporary_name(path, 1) + "/deep");
  write_file(directory.file(".b.heed0.tmp"), "of another file");
  write_file(path, "new");
  EXPECT_FALSE(fs::exists(temporary_name(path, 0)));
  EXPECT_FALSE(fs::exists(temporary_name(path, 1)));
  EXPECT_FALSE(fs::exists(temporary_name(path, 2)));
  EXPECT_TRUE(fs::exists(directory.file(".b.heed0.tmp")));
  remove_abandoned_in(directory.path());
  EXPECT_FALSE(fs::exists(directory.file(".b.heed0.tmp")));
  EXPECT_EQ(read_file(path), "new");
}

TEST(TemporaryName, WhatALivingProcessOrAPersonHasStays) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a"), held = temporary_name(path, 0);
  write_file(held, "being written");
  const int other = open(held.c_str(), O_RDONLY | O_CLOEXEC);  // a lock of another opening, as of another process
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  for (const char* name : {"a.123.tmp", "a.new", "a.tmp", ".a.tmp"}) write_file(directory.file(name), "somebody's");
  write_file(path, "new");
  remove_abandoned_in(directory.path());
  EXPECT_EQ(read_file(held), "being written");
  for (const char* name : {"a.123.tmp", "a.new", "a.tmp", ".a.tmp"}) EXPECT_TRUE(fs::exists(directory.file(name)));
  EXPECT_EQ(read_file(path), "new");
  close(other);
}

TEST(TemporaryName, LinksAndPipesAreNotFollowed) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a");
  write_file(directory.file("victim"), "precious");
  fs::create_symlink(directory.file("victim"), temporary_name(path, 0));
  ASSERT_EQ(mkfifo(temporary_name(path, 1).c_str(), 0600), 0);
  write_file(path, "new");
  EXPECT_EQ(read_file(directory.file("victim")), "precious");
  EXPECT_TRUE(fs::is_symlink(temporary_name(path, 0)));
  EXPECT_EQ(read_file(path), "new");
}

TEST(TemporaryName, IsTakenWhileAnotherWriterHasTheFirst) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a");
  write_file(path, "old");
  AtomicFile first(path), second(path);
  first.write("first");
  second.write("second");
  second.commit();
  EXPECT_EQ(read_file(path), "second");
  first.commit();
  EXPECT_EQ(read_file(path), "first");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), {}), 1);
}

TEST(TemporaryName, APathThatIsTooLongIsRefusedBeforeTheWork) {
  const TemporaryDirectory directory;
  std::string folder = directory.path();
  while (folder.size() < 4000) folder += "/" + std::string(80, 'x');
  // Linux opens no path of 4096 bytes: this one of 4090 could be opened, the hidden one beside it could not.
  const std::string path = folder + "/" + std::string(4090 - folder.size() - 1, 'y');
  fs::path made = directory.path();
  const fs::path before = fs::current_path();
  fs::current_path(made);
  for (const fs::path& part : fs::path(folder).lexically_relative(made)) {
    fs::create_directory(part);
    fs::current_path(part);
  }
  fs::current_path(before);
  EXPECT_THROW(AtomicFile file(path), FileError);
}

}  // namespace
}  // namespace heed
