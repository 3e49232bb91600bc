#include "heed/core/files/checksum.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

// FIPS 180-4's examples.
constexpr auto kOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr auto kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr auto kOfAMillionA = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Sha256, EqualsThePublishedDigests) {
  EXPECT_EQ(sha256(""), kOfNothing);
  EXPECT_EQ(sha256("abc"), kOfAbc);
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), kOfAMillionA);
}

TEST(Sha256, PartsMakeTheWhole) {
  Sha256 digest;
  digest.update("a", 1);
  digest.update("", 0);
  digest.update("bc", 2);
  EXPECT_EQ(digest.hex(), kOfAbc);
}

TEST(Sha256, ReadsFiles) {
  const testing::TemporaryDirectory directory;
  write_file(directory.file("a"), "abc");
  write_file(directory.file("empty"), "");
  EXPECT_EQ(sha256_of_file(directory.file("a")), kOfAbc);
  EXPECT_EQ(sha256_of_file(directory.file("empty")), kOfNothing);
  EXPECT_THROW(sha256_of_file(directory.file("none")), FileError);
}

}  // namespace
}  // namespace heed
