// Glossaries in CSV and TBX.
#include "heed/translation/lines/glossary_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "heed/core/error.h"

namespace heed::translation {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string glossary(const std::string& ending, const std::string& content) {
  const std::string path = std::filesystem::path(::testing::TempDir()) / ("heed_glossary" + ending);
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

Pairs pairs_of(const std::string& ending, const std::string& content) {
  GlossaryFile file(glossary(ending, content));
  Pairs pairs;
  for (std::string source, target; file.next(source, target);) pairs.emplace_back(source, target);
  return pairs;
}

void expect_glossary_error(const std::string& ending, const std::string& content, const std::string& message) {
  try {
    pairs_of(ending, content);
    ADD_FAILURE() << content;
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).ends_with(message)) << error.what();
  }
}

TEST(GlossaryFile, CsvHasQuotesSeparatorsAndPerhapsAHeader) {
  EXPECT_EQ(pairs_of(".csv", "\xEF\xBB\xBFsource,target,note\nprint, drucken ,x\r\n\n\"a, \"\"b\"\"\",\"c\nd\"\n"),
            (Pairs{{"print", "drucken"}, {"a, \"b\"", "c\nd"}}));
  EXPECT_EQ(pairs_of(".csv", "en;de\none, two;eins, zwei\n"), (Pairs{{"one, two", "eins, zwei"}}));
  EXPECT_EQ(pairs_of(".tsv", "source\ttarget\n"), (Pairs{{"source", "target"}}));
}

TEST(GlossaryFile, TbxHasTheTermsOfConceptsInTwoLanguages) {
  EXPECT_EQ(
      pairs_of(
          ".tbx",
          "<martif><text><body><termEntry><langSet xml:lang='en-US'><tig><term>cell &amp; row</term></tig></langSet>"
          "<langSet xml:lang='de'><tig><term>Zelle</term></tig><tig><term>Feld</term></tig></langSet></termEntry>"
          "<termEntry><langSet xml:lang='de'><tig><term>Blatt</term></tig></langSet><langSet xml:lang='en'><tig>"
          "<term>sheet</term></tig></langSet></termEntry></body></text></martif>"),
      (Pairs{{"cell & row", "Zelle"}, {"cell & row", "Feld"}, {"sheet", "Blatt"}}));
}

TEST(GlossaryFile, OtherContentIsAnErrorWithItsLine) {
  expect_glossary_error(".csv", "a,b\nc\n", ".csv:2: expected two columns, SOURCE and TARGET, found one");
  expect_glossary_error(".csv", "a,b\n,c\n", ".csv:2: the source term is blank");
  expect_glossary_error(".csv", "a,b\n\"c,d\n", ".csv:2: the quote that begins in this row is not closed");
  expect_glossary_error(".csv", "a,b\n\xFF,c\n", "expected UTF-8 text, found the byte 0xFF at byte 1 of the line");
  expect_glossary_error(".tbx", "<a>\n<b></a>", ".tbx:2: expected the end of `b`, found the end of `a`");
  expect_glossary_error(".tbx", "<a/>", ".tbx: expected terms in two languages, found 0");
}

}  // namespace
}  // namespace heed::translation
