#include "heed/core/files/new_directory.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <string>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/temporary_name.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using testing::message_of;
using testing::TemporaryDirectory;

namespace fs = std::filesystem;

std::set<std::string> names_in(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) names.insert(entry.path().filename());
  return names;
}

void write_two(const std::string& directory) {
  write_file(directory + "/a", "1");
  write_file(directory + "/b", "2");
}

class Directories : public ::testing::Test {
 protected:
  /// A new one, and one that exists as an empty directory.
  std::vector<std::string> both() const {
    fs::create_directory(folder.file("empty"));
    return {folder.file("new"), folder.file("empty")};
  }

  TemporaryDirectory folder;
};

TEST_F(Directories, AppearWhenAllIsInThem) {
  for (const std::string& path : both()) {
    NewDirectory made("--output", path);
    made.fill([&](const std::string& directory) {
      write_two(directory);
      EXPECT_FALSE(fs::exists(path + "/a"));
    });
    EXPECT_EQ(names_in(path), (std::set<std::string>{"a", "b"}));
    EXPECT_EQ(read_file(path + "/b"), "2");
  }
  EXPECT_EQ(names_in(folder.path()), (std::set<std::string>{"empty", "new"}));
}

TEST_F(Directories, AreAsBeforeAfterAnError) {
  for (const std::string& path : both()) {
    NewDirectory made("--output", path);
    const auto fail = [](const std::string& directory) {
      write_two(directory);
      throw InputError(directory + "/c", 0, "is bad");
    };
    EXPECT_EQ(message_of<Error>([&] { made.fill(fail); }), path + "/c: is bad");
  }
  EXPECT_EQ(names_in(folder.path()), (std::set<std::string>{"empty"}));
  EXPECT_TRUE(fs::is_empty(folder.file("empty")));
  EXPECT_THROW(NewDirectory("--output", folder.file("x/y/z")).fill([](const auto&) { throw Error("bad"); }), Error);
  EXPECT_FALSE(fs::exists(folder.file("x"))) << "the directories above that were made for it";
}

TEST_F(Directories, KeepErrorsThatDoNotNameThem) {
  EXPECT_THROW(NewDirectory("--output", folder.file("new")).fill([](const auto&) { throw ConfigError("bad"); }),
               ConfigError);
}

TEST_F(Directories, ThatExistStayTheSame) {
  const std::string path = folder.file("empty");
  fs::create_directory(path);
  fs::permissions(path, fs::perms::owner_all);
  struct stat before{}, after{};
  ASSERT_EQ(stat(path.c_str(), &before), 0);
  NewDirectory("--output", path + "/").fill(write_two);
  ASSERT_EQ(stat(path.c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(before.st_mode, after.st_mode);
}

TEST_F(Directories, AreReachedThroughLinks) {
  fs::create_directory_symlink("real", folder.file("link"));
  NewDirectory("--output", folder.file("link")).fill(write_two);
  EXPECT_TRUE(fs::is_symlink(folder.file("link")));
  EXPECT_EQ(names_in(folder.file("real")), (std::set<std::string>{"a", "b"}));
}

TEST_F(Directories, ThatHoldSomethingAreRefused) {
  fs::create_directory(folder.file("full"));
  write_file(folder.file("full/x"), "");
  write_file(folder.file("file"), "");
  for (const char* name : {"full", "file"}) {
    const std::string path = folder.file(name);
    EXPECT_EQ(message_of<ConfigError>([&] { NewDirectory("--output", path); }),
              "`--output` must be a new or an empty directory, but " + path + " holds something already");
  }
}

TEST_F(Directories, ThatGetContentMeanwhileAreRefusedAndKeepIt) {
  for (const std::string& path : both()) {
    const auto interrupted = [&](const std::string& directory) {
      write_two(directory);
      fs::create_directory(path);
      write_file(path + "/a", "somebody's");
    };
    EXPECT_THROW(NewDirectory("--output", path).fill(interrupted), Error);
    EXPECT_EQ(read_file(path + "/a"), "somebody's");
    EXPECT_EQ(names_in(path), (std::set<std::string>{"a"}));
  }
}

/// What the same command finds after a process was killed.
TEST_F(Directories, AreMadeAgainWhereAProcessWasKilled) {
  fs::create_directory(temporary_name(folder.file("new"), 0));
  write_two(temporary_name(folder.file("new"), 0));
  const std::string inside = folder.file("empty/.new.heed0.tmp");
  fs::create_directories(inside);
  write_two(inside);
  fs::create_hard_link(inside + "/a", folder.file("empty/a"));  // it was putting the files in their places
  for (const char* name : {"new", "empty"}) {
    NewDirectory("--output", folder.file(name)).fill([](const std::string& directory) {
      write_file(directory + "/c", "3");
    });
    EXPECT_EQ(names_in(folder.file(name)), std::set<std::string>{"c"});
  }
  EXPECT_EQ(names_in(folder.path()), (std::set<std::string>{"empty", "new"}));
}

TEST_F(Directories, AFileThatAKilledProcessDidNotPutThereIsRefused) {
  const std::string inside = folder.file("empty/.new.heed0.tmp");
  fs::create_directories(inside);
  write_two(inside);
  write_file(folder.file("empty/a"), "somebody's");
  EXPECT_THROW(NewDirectory("--output", folder.file("empty")), ConfigError);
  EXPECT_EQ(read_file(folder.file("empty/a")), "somebody's");
}

TEST_F(Directories, WhereNothingCanBeMadeAreRefusedBeforeTheWork) {
  EXPECT_EQ(message_of<FileError>([] { NewDirectory("--output", "/proc/none"); }),
            "/proc/none: cannot make: No such file or directory");
}

}  // namespace
}  // namespace heed
