#include "heed/core/files/archive.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/mapped_file.h"
#include "heed/core/files/regular_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using testing::message_of;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

class Archive : public ::testing::Test {
 protected:
  Archive() { write(path); }
  void write(const std::string& to) const {
    AtomicFile file(to);
    write_archive(file, std::vector<FileToArchive>{{.name = "a.txt", .bytes = bytes_of(first)},
                                                   {.name = "empty", .bytes = {}},
                                                   {.name = "b", .bytes = bytes_of(second)}});
    file.commit();
  }

  const std::string first = "one\n", second = std::string(100'000, 'x') + "end";
  testing::TemporaryDirectory directory;
  const std::string path = directory.file("some.heed");
};

TEST_F(Archive, IsReadAsADirectory) {
  EXPECT_EQ(read_regular_file(path + "/a.txt"), first);
  EXPECT_EQ(read_regular_file(path + "/empty"), "");
  EXPECT_EQ(read_regular_file(path + "/b"), second);
  EXPECT_EQ(size_of_file(path + "/b"), second.size());
  EXPECT_TRUE(path_exists(path + "/a.txt") && is_regular_file(path + "/a.txt"));
  EXPECT_FALSE(path_exists(path + "/c") || is_regular_file(path + "/A.TXT"));
  EXPECT_EQ(message_of<FileError>([&] { read_regular_file(path + "/c"); }),
            path + "/c: cannot open: No such file or directory");
}

TEST_F(Archive, IsMappedAtPagesAndOnlyWhereAFileIs) {
  const MappedFile a(path + "/a.txt"), b(path + "/b");
  EXPECT_EQ(a.bytes().size(), first.size());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(b.bytes().data()) % 4096, 0U);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(b.bytes().data()), b.bytes().size()), second);
  b.expect_scattered();
  b.fetch(b.bytes().subspan(5000, 10));
  b.release(b.bytes());
  EXPECT_EQ(static_cast<char>(b.bytes()[99'999]), 'x');
  MappedFile changed(path + "/b", Mapping::Private);
  changed.writable_bytes()[0] = std::byte{'y'};
  EXPECT_EQ(static_cast<char>(b.bytes()[0]), 'x');
}

TEST_F(Archive, OfTheSameFilesHasTheSameBytes) {
  write(directory.file("again"));
  EXPECT_EQ(read_file(path), read_file(directory.file("again")));
}

TEST_F(Archive, MayBeginAnywhereInItsFile) {  // as after other tools have changed it
  write_file(directory.file("behind"), std::string(77, '#') + read_file(path));
  EXPECT_EQ(read_regular_file(directory.file("behind") + "/b"), second);
  const MappedFile b(directory.file("behind") + "/b");
  EXPECT_EQ(static_cast<char>(b.bytes().back()), 'd');
  b.fetch(b.bytes().last(3));
  b.release(b.bytes());
  EXPECT_EQ(static_cast<char>(b.bytes()[1]), 'x');
}

TEST_F(Archive, ThatIsCutOrNoArchiveHasOneClearError) {
  const std::string whole = read_file(path);
  const std::string damaged =
      path + ": is damaged: the list of its files is missing or wrong; was it copied completely?";
  for (const size_t size : {whole.size() - 20, whole.size() - 100, whole.size() / 2, size_t{100}}) {
    write_file(path, whole.substr(0, size));
    EXPECT_EQ(message_of<CheckpointError>([&] { read_regular_file(path + "/b"); }), damaged) << size;
  }
  for (const char* other : {"", "seed = 1\n"}) {
    write_file(path, other);
    EXPECT_EQ(message_of<CheckpointError>([&] { static_cast<void>(path_exists(path + "/b")); }),
              path + ": is neither a directory nor a file that `heed pack` made");
  }
}

TEST_F(Archive, WithAnyByteOfItsHeadersChangedIsReadOrRefused) {
  const std::string whole = read_file(path);
  const size_t list = whole.find("PK\x01\x02");
  ASSERT_NE(list, std::string::npos);
  for (size_t at = 0; at < whole.size(); at += at == 40 ? list - 40 : 1) {  // the first header and the list at the end
    for (const int change : {1, 0x80, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ change);
      std::ofstream(path, std::ios::binary) << changed;
      try {
        const std::string read = read_regular_file(path + "/b", 1 << 20);
        EXPECT_LE(read.size(), whole.size());
      } catch (const Error&) {  // each is one of heed's errors
      }
    }
  }
}

}  // namespace
}  // namespace heed
