#include "heed/data/corpus/table_shape.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heed/data/corpus/table_row.h"

namespace heed::data {
namespace {

bool is_header(std::string_view row) {
  std::vector<std::string_view> fields;
  split_fields(row, Quotes::None, fields);
  return looks_like_header(fields);
}

TEST(TableShape, AHeaderNamesSourceAndTargetOrTwoLanguages) {
  for (const char* header : {"source\ttarget", "Source\tTarget", "\"source\"\t\"target\"", "target_text\tsource_text",
                             "src\ttgt", "en\tde", "EN\tDE", "en-US\tde_DE", "eng\tdeu", "English\tGerman",
                             "\"English\"\t\"Ukrainian\"", "en\tGerman", "source\ttarget\tscore"}) {
    EXPECT_TRUE(is_header(header)) << header;
  }
  for (const char* pair : {"one\teins", "source\tQuelle", "source", "", "\t", "German\tdeu", "en\ten",
                           "The source\ttarget", "English is a language.\tGerman", "source\tsrc"}) {
    EXPECT_FALSE(is_header(pair)) << pair;
  }
}

bool looks_quoted(const std::vector<std::string>& rows) {
  TableShape shape;
  std::vector<std::string_view> fields;
  for (const std::string& row : rows) {
    split_fields(row, Quotes::None, fields);
    shape.add(fields);
  }
  return shape.looks_quoted();
}

TEST(TableShape, RowsInQuotesAreRecognized) {
  EXPECT_TRUE(looks_quoted({"en\tde", "\"one\"\t\"eins\"", "\"two\"\t\"zwei\""}));
  EXPECT_FALSE(looks_quoted({}));
  EXPECT_FALSE(looks_quoted({"one\teins", "two\tzwei", "\"three\"\t\"drei\""})) << "a pair of quotations";
  EXPECT_FALSE(looks_quoted({"\"one\"\teins", "\"two\"\tzwei"})) << "one side alone";
}

TEST(TableShape, AFewFieldsInQuotesAreRecognizedByDoubledQuotes) {
  const std::vector<std::string> plain(50, "one\teins");
  std::vector<std::string> rows = plain;
  rows.emplace_back("\"He said \"\"one\"\".\"\t\"Er sagte \"\"eins\"\".\"");
  EXPECT_FALSE(looks_quoted(rows)) << "two fields may be chance";
  rows.emplace_back("two\t\"\"\"zwei\"\"\"");
  EXPECT_TRUE(looks_quoted(rows));
  for (int i = 0; i < 5; ++i) rows.emplace_back("\"Yes,\" he said.\tja");
  EXPECT_FALSE(looks_quoted(rows)) << "fields begin with quotes that do not enclose them";
}

}  // namespace
}  // namespace heed::data
