#include "heed/data/corpus/table_row.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heed::data {
namespace {

/// The texts of a row's fields; what is wrong with it where something is.
std::vector<std::string> texts_of(std::string_view row, Quotes quotes = Quotes::Double) {
  std::vector<std::string_view> fields;
  if (const std::string wrong = split_fields(row, quotes, fields); !wrong.empty()) return {wrong};
  std::vector<std::string> texts;
  for (const std::string_view field : fields) unquote(field, quotes, texts.emplace_back());
  return texts;
}
using Texts = std::vector<std::string>;

TEST(TableRow, QuotesEncloseAFieldWithTabsAndDoubledQuotes) {
  EXPECT_EQ(texts_of("\"one\"\t\"eins\""), (Texts{"one", "eins"}));
  EXPECT_EQ(texts_of("one\t\"eins\""), (Texts{"one", "eins"})) << "only fields that need quotes may have them";
  EXPECT_EQ(texts_of("\"He said \"\"no\"\".\"\t\"\"\"Nein\"\"\""), (Texts{"He said \"no\".", "\"Nein\""}));
  EXPECT_EQ(texts_of("\"a\tb\"\tc"), (Texts{"a\tb", "c"}));
  EXPECT_EQ(texts_of("\"\"\t\"\"\"\""), (Texts{"", "\""}));
  EXPECT_EQ(texts_of("\t"), (Texts{"", ""}));
  EXPECT_EQ(texts_of(""), (Texts{""}));
}

TEST(TableRow, WithoutQuotesEveryTabIsABorder) {
  EXPECT_EQ(texts_of("\"a\tb\"\tc", Quotes::None), (Texts{"\"a", "b\"", "c"}));
  EXPECT_EQ(texts_of("\"\"\"Nein\"\"\"\t5\" disk", Quotes::None), (Texts{"\"\"\"Nein\"\"\"", "5\" disk"}));
}

TEST(TableRow, WrongQuotesAreNamedWithTheirColumn) {
  EXPECT_EQ(texts_of("one\t\"eins"), (Texts{"with `quotes double` column 2 must end with its quote on this line"}));
  EXPECT_EQ(texts_of("\"one\"\"\teins"), (Texts{"with `quotes double` column 1 must end with its quote on this line"}));
  EXPECT_EQ(texts_of("\"one\" two\teins"), (Texts{"with `quotes double` column 1 must end at its closing quote"}));
  EXPECT_EQ(texts_of("a 5\" disk\teins"),
            (Texts{"with `quotes double` column 1, which has a quote, must begin with one"}));
}

TEST(TableRow, AFieldIsInQuotesFromItsFirstToItsLastCharacter) {
  EXPECT_TRUE(is_quoted("\"one\""));
  EXPECT_TRUE(is_quoted("\"\""));
  EXPECT_TRUE(is_quoted("\"a \"\"b\"\"\""));
  EXPECT_FALSE(is_quoted("\""));
  EXPECT_FALSE(is_quoted("\"Yes,\" he said, \"no.\""));
  EXPECT_FALSE(is_quoted("\"one\"\""));
  EXPECT_FALSE(is_quoted("one"));
}

TEST(TableRow, AWeightIsANumberOfAtLeast0) {
  EXPECT_EQ(parse_weight("0.5"), 0.5f);
  EXPECT_EQ(parse_weight("0"), 0.0f);
  for (const char* wrong : {"-1", "nan", "1e99", "x", "1 ", ""}) EXPECT_FALSE(parse_weight(wrong)) << wrong;
}

}  // namespace
}  // namespace heed::data
