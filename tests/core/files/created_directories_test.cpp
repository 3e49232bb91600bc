#include "heed/core/files/created_directories.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "heed/core/error.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

TEST(CreatedDirectories, VanishWhenTheyAreEmpty) {
  const testing::TemporaryDirectory folder;
  for (const std::string ending : {"", "/"}) {
    {
      const CreatedDirectories made(folder.file("a/b/c") + ending, "a/b/c");
      EXPECT_TRUE(fs::is_directory(folder.file("a/b/c")));
    }
    EXPECT_FALSE(fs::exists(folder.file("a")));
  }
}

TEST(CreatedDirectories, StayWhenTheyHoldSomething) {
  const testing::TemporaryDirectory folder;
  {
    const CreatedDirectories made(folder.file("a/b/c"), "a/b/c");
    std::ofstream(folder.file("a/b/file")) << "text";
  }
  EXPECT_FALSE(fs::exists(folder.file("a/b/c")));
  EXPECT_TRUE(fs::exists(folder.file("a/b/file")));
}

TEST(CreatedDirectories, OfOthersStay) {
  const testing::TemporaryDirectory folder;
  fs::create_directories(folder.file("a/b"));
  { const CreatedDirectories made(folder.file("a/b"), "a/b"); }
  EXPECT_TRUE(fs::exists(folder.file("a/b")));
}

TEST(CreatedDirectories, AnErrorLeavesNone) {
  const testing::TemporaryDirectory folder;
  EXPECT_THROW(CreatedDirectories(folder.file("a/b/") + std::string(300, 'x'), "shown"), FileError);
  EXPECT_FALSE(fs::exists(folder.file("a")));
  std::ofstream(folder.file("file")) << "text";
  EXPECT_THROW(CreatedDirectories(folder.file("file"), "shown"), FileError);
  EXPECT_THROW(CreatedDirectories(folder.file("file/below"), "shown"), FileError);
  EXPECT_TRUE(fs::exists(folder.file("file")));
}

}  // namespace
}  // namespace heed
