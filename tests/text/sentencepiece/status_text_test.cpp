#include "heed/text/sentencepiece/status_text.h"

#include <gtest/gtest.h>

namespace heed::text {
namespace {

TEST(StatusText, NamesNoSourceOfTheLibrary) {
  EXPECT_EQ(
      status_text("Internal: ./src/trainer_interface.cc(660) [(a.size()) == (b[0])] Vocabulary size too high (9)."),
      "Vocabulary size too high (9).");
  EXPECT_EQ(status_text("Internal: ./src/trainer_interface.cc(754) [insert_id(spec_.bos_id())] "),
            "its check `insert_id(spec_.bos_id())` failed");
  EXPECT_EQ(status_text("Invalid argument: unknown enumeration value of \"foo\""),
            "Invalid argument: unknown enumeration value of \"foo\"");
  EXPECT_EQ(status_text("Internal: ./src/x.cc(1) [a"), "Internal: ./src/x.cc(1) [a");
}

}  // namespace
}  // namespace heed::text
