#include "heed/core/text/unicode.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/stored_json.h"

namespace heed {
namespace {

using Json = nlohmann::json;

class UnicodeTest : public ::testing::Test {
 protected:
  static const Json& stored() {
    static const Json values = testing::stored_json("core/data/unicode.json");
    return values;
  }
};

std::vector<std::string> strings(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

TEST_F(UnicodeTest, WhiteSpaceIsPythons) {
  std::vector<uint32_t> spaces;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (is_space(c)) spaces.push_back(c);
  }
  EXPECT_EQ(spaces, stored().at("spaces").get<std::vector<uint32_t>>());
}

TEST_F(UnicodeTest, LowerCaseIsPythonsForEveryCharacter) {
  const Json& lowered = stored().at("lowered");
  ASSERT_GT(lowered.size(), 1300u);
  for (const auto& [from, to] : lowered.items()) EXPECT_EQ(lower(from), to.get<std::string>()) << from;
  // Later versions of Unicode add pairs of letters, but not among these.
  for (char32_t c = 0; c < 0x2000; ++c) {
    const std::string text = to_utf8(std::u32string(1, c));
    EXPECT_EQ(lower(text), lowered.value(text, text));
  }
}

TEST_F(UnicodeTest, LinesAreSeenAsPythonSeesThem) {
  for (const Json& line : stored().at("lines")) {
    const std::string text = line.at("line");
    EXPECT_EQ(strings(split_whitespace(text)), line.at("split").get<std::vector<std::string>>()) << text;
    EXPECT_EQ(strip(text), line.at("strip").get<std::string>()) << text;
    EXPECT_EQ(strip_right(text), line.at("rstrip").get<std::string>()) << text;
    EXPECT_EQ(lower(text), line.at("lower").get<std::string>()) << text;
    EXPECT_EQ(characters(text).size(), line.at("length")) << text;
    EXPECT_EQ(to_code_points(text).size(), line.at("length")) << text;
    EXPECT_EQ(to_utf8(to_code_points(text)), text);
    EXPECT_EQ(first_invalid_utf8(text), std::nullopt);
  }
}

TEST_F(UnicodeTest, IllFormedBytesAreReplacedAsByPython) {
  for (const Json& stored_bytes : stored().at("bytes")) {
    const std::string hex = stored_bytes.at("hex");
    EXPECT_EQ(replace_invalid_utf8(bytes_of(hex)), stored_bytes.at("replaced").get<std::string>()) << hex;
    const int64_t first = stored_bytes.at("first_invalid");
    const auto found = first_invalid_utf8(bytes_of(hex));
    EXPECT_EQ(found ? static_cast<int64_t>(*found) : -1, first) << hex;
  }
}

TEST(Unicode, CharactersAreViewsThatMakeTheText) {
  EXPECT_EQ(characters("aé\U0001F600"), (std::vector<std::string_view>{"a", "é", "\U0001F600"}));
  EXPECT_TRUE(characters("").empty());
}

TEST(Unicode, WideCharactersTakeTwoColumnsAndCombiningOnesNone) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("Größe"), 5U);
  EXPECT_EQ(display_width("Gro\u0308\u00DFe"), 5U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width("ｱＡ"), 3U);  // half and full width
  EXPECT_EQ(display_width("a\u200Db"), 2U);
}

TEST(Unicode, OneCodePointIsACharacter) {
  for (const char* one : {"a", "é", "\U0001F600"}) EXPECT_TRUE(is_character(one)) << one;
  for (const char* other : {"", "ab", "éa", "e\u0301"}) EXPECT_FALSE(is_character(other)) << other;
}

TEST(Unicode, ClassesAreThoseOfTheGeneralCategories) {
  for (const char32_t c : U"09²½٣Ⅷ〇")
    EXPECT_TRUE(c == 0 || character_class(c) == CharacterClass::Number) << uint32_t{c};
  for (const char32_t c : U"!_-«。‿")
    EXPECT_TRUE(c == 0 || character_class(c) == CharacterClass::Punctuation) << uint32_t{c};
  for (const char32_t c : U"$+^€😀^`")
    EXPECT_TRUE(c == 0 || character_class(c) == CharacterClass::Symbol) << uint32_t{c};
  for (const char32_t c : U"aß你\u0301 \u200D") EXPECT_EQ(character_class(c), CharacterClass::Other) << uint32_t{c};
}

TEST(Unicode, ClassesOfCharactersThatAreNewerThanIcuAreKnown) {
  EXPECT_EQ(character_class(0x2427), CharacterClass::Symbol);       // Unicode 16
  EXPECT_EQ(character_class(0x1B4E), CharacterClass::Punctuation);  // Unicode 16
  EXPECT_EQ(character_class(0x10D49), CharacterClass::Number);      // Unicode 16
  EXPECT_EQ(character_class(0x1FAC8), CharacterClass::Symbol);      // Unicode 17
  EXPECT_EQ(character_class(0x1FACB), CharacterClass::Other);       // not assigned
}

TEST(Unicode, SurrogatesHaveNoUtf8) {
  std::string text;
  EXPECT_THROW(append_utf8(text, 0xD800), std::logic_error);
  EXPECT_THROW(append_utf8(text, 0x110000), std::logic_error);
}

TEST(Unicode, SplitSpacesLeavesOtherWhiteSpace) {
  using Words = std::vector<std::string_view>;
  EXPECT_EQ(split_spaces("  a\u00A0b  c\t "), (Words{"a\u00A0b", "c\t"}));
  EXPECT_EQ(split_spaces(""), Words{});
}

}  // namespace
}  // namespace heed
