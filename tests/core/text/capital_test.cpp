#include "heed/core/text/capital.h"

#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(Capital, IsALetterOfUpperOrTitleCase) {
  for (const char32_t letter : std::u32string_view(U"AÄЖ\u01C5")) {
    EXPECT_TRUE(is_capital(letter)) << static_cast<uint32_t>(letter);
  }
  for (const char32_t letter : std::u32string_view(U"aß1.東")) {
    EXPECT_FALSE(is_capital(letter)) << static_cast<uint32_t>(letter);
  }
}

TEST(Capital, IsPutFirst) {
  EXPECT_EQ(with_capital("öffnen Sie"), "Öffnen Sie");
  EXPECT_EQ(with_capital("Öffnen"), "Öffnen");
  EXPECT_EQ(with_capital("ǆ"), "ǅ");
  EXPECT_EQ(with_capital("ßa"), "ßa");
  EXPECT_EQ(with_capital(""), "");
}

}  // namespace
}  // namespace heed
