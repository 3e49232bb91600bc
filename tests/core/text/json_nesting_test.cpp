#include "heed/core/text/json_nesting.h"

#include <gtest/gtest.h>

#include <string>

namespace heed {
namespace {

TEST(JsonNesting, IsTheDepthOfArraysAndObjects) {
  const auto nested = [](int64_t depth) {
    std::string json = "1";
    for (int64_t i = 0; i < depth; ++i) json = i % 2 == 0 ? "[" + json + ", 2]" : R"({"a[\"{": )" + json + "}";
    return json;
  };
  EXPECT_FALSE(is_nested_deeper(nested(kDeepestJson)));
  EXPECT_TRUE(is_nested_deeper(nested(kDeepestJson + 1)));
  EXPECT_FALSE(is_nested_deeper("[[1], [2], [3], [4]]", 2));
  EXPECT_TRUE(is_nested_deeper("[[1], [2], [[3]]]", 2));
  EXPECT_FALSE(is_nested_deeper("", 0));
}

TEST(JsonNesting, BracketsOfTextsDoNotCount) {
  EXPECT_FALSE(is_nested_deeper(R"(["[[[[", "{\\", "\"{{{"])", 1));
  EXPECT_FALSE(is_nested_deeper(R"("[[[)", 0)) << "a text that does not end";
}

}  // namespace
}  // namespace heed
