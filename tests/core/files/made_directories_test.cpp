#include "heed/core/files/made_directories.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "heed/core/error.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

TEST(MadeDirectories, VanishWhenTheyAreEmpty) {
  const testing::TemporaryDirectory folder;
  for (const std::string ending : {"", "/"}) {
    {
      const MadeDirectories made(folder.file("a/b/c") + ending, "a/b/c");
      EXPECT_TRUE(fs::is_directory(folder.file("a/b/c")));
    }
    EXPECT_FALSE(fs::exists(folder.file("a")));
  }
}

TEST(MadeDirectories, StayWhenTheyHoldSomething) {
  const testing::TemporaryDirectory folder;
  {
    const MadeDirectories made(folder.file("a/b/c"), "a/b/c");
    std::ofstream(folder.file("a/b/file")) << "text";
  }
  EXPECT_FALSE(fs::exists(folder.file("a/b/c")));
  EXPECT_TRUE(fs::exists(folder.file("a/b/file")));
}

TEST(MadeDirectories, OfOthersStay) {
  const testing::TemporaryDirectory folder;
  fs::create_directories(folder.file("a/b"));
  { const MadeDirectories made(folder.file("a/b"), "a/b"); }
  EXPECT_TRUE(fs::exists(folder.file("a/b")));
}

TEST(MadeDirectories, AnErrorLeavesNone) {
  const testing::TemporaryDirectory folder;
  EXPECT_THROW(MadeDirectories(folder.file("a/b/") + std::string(300, 'x'), "shown"), FileError);
  EXPECT_FALSE(fs::exists(folder.file("a")));
  std::ofstream(folder.file("file")) << "text";
  EXPECT_THROW(MadeDirectories(folder.file("file"), "shown"), FileError);
  EXPECT_THROW(MadeDirectories(folder.file("file/below"), "shown"), FileError);
  EXPECT_TRUE(fs::exists(folder.file("file")));
}

}  // namespace
}  // namespace heed
