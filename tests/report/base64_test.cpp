#include "heed/report/markup.h"

#include <gtest/gtest.h>

#include <string>

namespace heed::report {
namespace {

TEST(Base64, IsThatOfRfc4648) {
  const std::string whole = "foobar";
  const std::string encoded[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};  // its section 10
  for (size_t length = 0; length <= whole.size(); ++length) EXPECT_EQ(base64(whole.substr(0, length)), encoded[length]);
  EXPECT_EQ(base64(std::string("\xFF\xFE\x00\xFB", 4)), "//4A+w==") << "bytes above 127 and zeros";
}

}  // namespace
}  // namespace heed::report
