#include "heed/core/error.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "support/message_of.h"

namespace heed {
namespace {

using testing::message_of;

TEST(Error, NamesThePlace) {
  EXPECT_STREQ(InputError("a.en", 3, "is odd").what(), "a.en:3: is odd");
  EXPECT_STREQ(InputError("a.en", 0, "is odd").what(), "a.en: is odd");
  EXPECT_STREQ(ConfigError("arch.heads", "must divide `arch.d-model`").what(),
               "`arch.heads` must divide `arch.d-model`");
  EXPECT_STREQ(CheckpointError("m/x", "has no weights").what(), "m/x: has no weights");
  EXPECT_STREQ(FileError("a.en", "open", ENOENT).what(), "a.en: cannot open: No such file or directory");
}

TEST(Error, UsageErrorsExitWithTwo) {
  EXPECT_EQ(ConfigError("a").exit_code(), 2);
  EXPECT_EQ(InputError("a", 1, "b").exit_code(), 1);
  EXPECT_EQ(CheckpointError("a", "b").exit_code(), 1);
  EXPECT_EQ(FileError("a", "read", EIO).exit_code(), 1);
}

TEST(Check, ThrowsWithTheCallersPlace) {
  EXPECT_NO_THROW(check(true, "fine"));
  const std::string message = message_of<std::logic_error>([] { check(false, "sizes must agree"); });
  EXPECT_NE(message.find("error_test.cpp:"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with(": sizes must agree")) << message;
}

}  // namespace
}  // namespace heed
