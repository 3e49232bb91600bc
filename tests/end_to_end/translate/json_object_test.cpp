// The JSON that `heed translate --format json` reads, as it is written.
#include "translate/json_object.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heed::apps {
namespace {

TEST(JsonObject, HasItsMembersAsTheyAreWritten) {
  const auto object = parse_json(R"( {"a" : 1e400 , "b\n\u0062":[ 1, {"a": 2} ],"a":"\ud83d"} )");
  ASSERT_TRUE(object);
  EXPECT_EQ(object->type, "object");
  ASSERT_EQ(object->members.size(), 3U);
  EXPECT_EQ(object->members[0].name, "a");
  EXPECT_EQ(object->members[0].value, "1e400");
  EXPECT_EQ(object->members[1].name, "b\nb");
  EXPECT_EQ(object->members[1].value, R"([ 1, {"a": 2} ])");
  EXPECT_EQ(object->members[2].name, "a");
  EXPECT_EQ(object->members[2].value, R"("\ud83d")");
}

TEST(JsonObject, OtherValuesHaveTheirTypes) {
  for (const auto& [text, type] : {std::pair{"[1]", "array"},
                                   {R"("a")", "string"},
                                   {"-0.5e-3", "number"},
                                   {"true", "boolean"},
                                   {"false", "boolean"},
                                   {" null ", "null"},
                                   {"{}", "object"}}) {
    const auto value = parse_json(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(value->type, type);
  }
}

TEST(JsonObject, IsWhatTheGrammarSays) {
  for (const std::string_view text :
       {"0", "-0", "10", "0.0", "1E5", "1e+05", "[]", "[ ]", "[[],{}]", R"({"":""})", R"("\"\\\/\b\f\n\r\t\u00Ff")"}) {
    EXPECT_TRUE(parse_json(text)) << text;
  }
  for (const std::string_view text : {"",
                                      " ",
                                      "one two",
                                      "01",
                                      "-",
                                      "+1",
                                      "1.",
                                      ".5",
                                      "1e",
                                      "1e+",
                                      "0x1",
                                      "NaN",
                                      "Infinity",
                                      "nul",
                                      "[",
                                      "]",
                                      "[1,]",
                                      "[,]",
                                      "[1 2]",
                                      "{",
                                      "{}}",
                                      "{1:2}",
                                      R"({"a"})",
                                      R"({"a":})",
                                      R"({"a":1,})",
                                      R"({"a":1 "b":2})",
                                      R"(["a")",
                                      R"({"a":[1})",
                                      R"({"a":[1}])",
                                      R"("a)",
                                      R"("\x")",
                                      R"("\u12")",
                                      R"("\u12G4")",
                                      R"("\)",
                                      "\"\n\"",
                                      "\"\t\"",
                                      "1 2",
                                      "[] []",
                                      "\u00a0{}",
                                      "{'a':1}",
                                      "[1]//"}) {
    EXPECT_FALSE(parse_json(text)) << text;
  }
}

TEST(JsonObject, DepthHasNoLimit) {
  constexpr size_t kDepth = 1'000'000;
  const std::string open(kDepth, '['), close(kDepth, ']');
  EXPECT_TRUE(parse_json(R"({"a":)" + open + close + "}"));
  EXPECT_FALSE(parse_json(R"({"a":)" + open + close + "]}"));
  EXPECT_FALSE(parse_json(open));
}

TEST(JsonText, ReplacesEscapes) {
  EXPECT_EQ(json_text(R"("a\"\\\/\b\f\n\r\t\u00e9 \uD83D\uDE00é")").text, "a\"\\/\b\f\n\r\té 😀é");
  EXPECT_TRUE(json_text(R"("\ud83d\ude00")").half_pair.empty());
  EXPECT_EQ(json_text(R"("")").text, "");
}

TEST(JsonText, HalfAPairIsTheReplacementCharacter) {
  for (const auto& [value, text, half] : {std::tuple{R"("\ud83d")", "\uFFFD", "\\ud83d"},
                                          {R"("a\uDE00b")", "a\uFFFDb", "\\uDE00"},
                                          {R"("\ud83d\ud83d\ude00")", "\uFFFD😀", "\\ud83d"},
                                          {R"("\ude00\ud83d")", "\uFFFD\uFFFD", "\\ude00"},
                                          {R"("\ud83d\u0041")", "\uFFFDA", "\\ud83d"},
                                          {R"("\ud83d\n")", "\uFFFD\n", "\\ud83d"}}) {
    const JsonText found = json_text(value);
    EXPECT_EQ(found.text, text) << value;
    EXPECT_EQ(found.half_pair, half) << value;
  }
}

}  // namespace
}  // namespace heed::apps
