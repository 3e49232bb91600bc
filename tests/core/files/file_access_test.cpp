#include "heed/core/files/file_access.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using testing::message_of;
using testing::TemporaryDirectory;

constexpr uid_t kOther = 12345;

struct stat status_of(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status;
}

mode_t mode_of(const std::string& path) { return status_of(path).st_mode & 07777; }

class Access : public ::testing::Test {
 protected:
  Access() : mask_(umask(022)) {}
  ~Access() override { umask(mask_); }
  std::string file_of_mode(const std::string& name, mode_t mode) const {
    const std::string path = directory.file(name);
    write_file(path, "old");
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  }

  TemporaryDirectory directory;

 private:
  mode_t mask_;
};

/// Root may write everything: the process is somebody else while this lives.
class SomebodyElse {
 public:
  SomebodyElse() {
    if (geteuid() == 0) changed_ = setegid(kOther) == 0 && seteuid(kOther) == 0;
  }
  ~SomebodyElse() { EXPECT_TRUE(!changed_ || (seteuid(0) == 0 && setegid(0) == 0)); }
  SomebodyElse(const SomebodyElse&) = delete;
  SomebodyElse& operator=(const SomebodyElse&) = delete;

 private:
  bool changed_ = false;
};

TEST_F(Access, OfAReplacedFileStays) {
  for (const mode_t mode : {0600, 0640, 0666, 0604, 0755, 0200}) {
    const std::string path = file_of_mode("a", mode);
    write_file(path, "new");
    EXPECT_EQ(mode_of(path), mode);
  }
  write_file(directory.file("fresh"), "new");
  EXPECT_EQ(mode_of(directory.file("fresh")), 0644U) << "as umask says";
}

TEST_F(Access, IsThatOfTheMomentWhenTheFileIsReplaced) {
  const std::string path = file_of_mode("a", 0644);
  AtomicFile file(path);
  chmod(path.c_str(), 0600);
  file.commit();
  EXPECT_EQ(mode_of(path), 0600U);
  AtomicFile other(path);
  std::filesystem::remove(path);
  other.commit();
  EXPECT_EQ(mode_of(path), 0600U) << "what was private stays private";
}

TEST_F(Access, NobodyReadsTheNewFileBeforeItHasItsMode) {
  const std::string path = file_of_mode("a", 0644);
  AtomicFile file(path);
  file.write("secret");
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    EXPECT_TRUE(entry.path() == path || mode_of(entry.path()) == 0600U) << entry.path();
  }
}

TEST_F(Access, OwnerAndGroupStay) {
  if (geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const std::string path = file_of_mode("a", 0640);
  ASSERT_EQ(chown(path.c_str(), kOther, kOther + 1), 0);
  write_file(path, "new");
  EXPECT_EQ(status_of(path).st_uid, kOther);
  EXPECT_EQ(status_of(path).st_gid, kOther + 1);
  EXPECT_EQ(mode_of(path), 0640U);
}

TEST_F(Access, AGroupThatCannotBeKeptTakesItsPermissionsWithIt) {
  if (geteuid() != 0) GTEST_SKIP() << "only root makes files of others";
  std::filesystem::permissions(directory.path(), std::filesystem::perms::all);
  const std::string path = file_of_mode("a", 0664);
  ASSERT_EQ(chown(path.c_str(), kOther, kOther + 1), 0);
  {
    const SomebodyElse writer;
    write_file(path, "new");
  }
  EXPECT_EQ(status_of(path).st_gid, kOther) << "the writer is not of the old group";
  EXPECT_EQ(mode_of(path), 0644U);
}

TEST_F(Access, ListsStay) {
  // Version 2; the owner rw, the user 12345 r, the group none, the mask r, others none.
  constexpr std::string_view kList(
      "\2\0\0\0"
      "\1\0\6\0\377\377\377\377"
      "\2\0\4\0\x39\x30\0\0"
      "\4\0\0\0\377\377\377\377"
      "\x10\0\4\0\377\377\377\377"
      "\x20\0\0\0\377\377\377\377",
      44);
  const std::string path = file_of_mode("a", 0600);
  if (setxattr(path.c_str(), "system.posix_acl_access", kList.data(), kList.size(), 0) != 0) {
    GTEST_SKIP() << "this file system has no access control lists";
  }
  write_file(path, "new");
  std::string kept(100, '\0');
  kept.resize(static_cast<size_t>(
      std::max<ssize_t>(0, getxattr(path.c_str(), "system.posix_acl_access", kept.data(), kept.size()))));
  EXPECT_EQ(kept, kList);
  EXPECT_EQ(mode_of(path), 0640U);
}

TEST_F(Access, AReadOnlyFileIsRefusedBeforeItsContentIsMade) {
  std::filesystem::permissions(directory.path(), std::filesystem::perms::all);
  const std::string path = file_of_mode("a", 0444);
  {
    const SomebodyElse writer;
    EXPECT_EQ(message_of<FileError>([&] { AtomicFile file(path); }), path + ": cannot write: Permission denied");
  }
  EXPECT_EQ(read_file(path), "old");
}

TEST_F(Access, AFileThatOnlyOthersMayRemoveIsRefusedBeforeItsContentIsMade) {
  if (geteuid() != 0) GTEST_SKIP() << "only root makes files of others";
  chmod(directory.path().c_str(), 01777);
  const std::string path = file_of_mode("a", 0666);
  const SomebodyElse writer;
  EXPECT_EQ(message_of<FileError>([&] { AtomicFile file(path); }), path + ": cannot write: Operation not permitted");
}

TEST_F(Access, OtherHardLinksKeepTheOldContent) {
  const std::string path = file_of_mode("a", 0600);
  std::filesystem::create_hard_link(path, directory.file("b"));
  write_file(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(read_file(directory.file("b")), "old");
}

}  // namespace
}  // namespace heed
