// `heed evaluate --by-length`
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

class ByLength : public testing::Test {
 protected:
  std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"evaluate", "--by-length", "--reference", reference, "--metric", "token-accuracy"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  Folder folder;
  std::string source = folder.file("source", "a a\na a a a\na a a a a a\na a\n");
  std::string reference = folder.file("reference", "the cat sat\nthe dog\nnobody came home\nwhy\n");
  std::string good = folder.file("good.de", "the cat sat\nthe dog\nnobody came home\nwhat\n");
  std::string bad = folder.file("bad.de", "the cat\nthe cat\nhome\nwhy\n");
};

TEST_F(ByLength, HasARowForEveryBucketAndOneForAll) {
  const Result result = heed(command({"--source", source, "--bucket-width", "2", good, bad}));
  EXPECT_EQ(result.errors, "");
  // Lines 1 and 4 have two source words, line 2 four, line 3 six; the scores are of right words among those written.
  EXPECT_EQ(result.output,
            "╒══════════════════════════╤═════════╤═══════════╤══════════╕\n"
            "│   source length in words │  lines  │  good.de  │  bad.de  │\n"
            "╞══════════════════════════╪═════════╪═══════════╪══════════╡\n"
            "│                      0-2 │    2    │   75.0    │  100.0   │\n"
            "├──────────────────────────┼─────────┼───────────┼──────────┤\n"
            "│                      3-4 │    1    │   100.0   │   50.0   │\n"
            "├──────────────────────────┼─────────┼───────────┼──────────┤\n"
            "│                      5-6 │    1    │   100.0   │   0.0    │\n"
            "├──────────────────────────┼─────────┼───────────┼──────────┤\n"
            "│                      all │    4    │   88.9    │   66.7   │\n"
            "╘══════════════════════════╧═════════╧═══════════╧══════════╛\n"
            "token accuracy|nrefs:1\n");
}

TEST_F(ByLength, NamesSystemsByAsManyFoldersAsTellThemApart) {
  std::filesystem::create_directories(folder.path("none/made"));
  std::filesystem::create_directories(folder.path("dot/made"));
  const std::string none = folder.file("none/made/test.de", folder.read("bad.de"));
  const std::string dot = folder.file("dot/made/test.de", folder.read("good.de"));
  const std::string figure = folder.path("figure.svg");
  const Result result = heed(command({"--metric", "bleu", "--figure", figure, none, dot}));
  EXPECT_NE(result.output.find("│  none/made/test.de  │  dot/made/test.de  │"), std::string::npos) << result.output;
  EXPECT_NE(folder.read("figure.svg").find("|smooth:exp|version:2.6.0</text>"), std::string::npos) << "cut short";
}

TEST_F(ByLength, TheScoreOfAllIsThatOfTheWholeFile) {
  const Result all = heed({"evaluate", "--reference", reference, "--decimals", "4", bad});
  const Result by_length = heed({"evaluate", "--by-length", "--reference", reference, "--decimals", "4", bad});
  const std::string score = all.output.substr(all.output.find(" = ") + 3);
  EXPECT_NE(by_length.output.find(" all │    4    │  " + score.substr(0, score.find(' '))), std::string::npos)
      << by_length.output << all.output;
  EXPECT_NE(by_length.output.find("reference length in words"), std::string::npos);
}

TEST_F(ByLength, DrawsALineForEachSystem) {
  const std::string figure = folder.path("figure.svg");
  const Result result = heed(command({"--metric", "bleu", "--figure", figure, "--length-unit", "characters",
                                      "--longest", "10", "--label", "<A>", "--label", "B & C", good, bad}));
  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.output.find("│  <A>  │  B & C  │"), std::string::npos) << result.output;
  const std::string svg = folder.read("figure.svg");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << svg.substr(0, 100);
  for (const std::string text : {">&lt;A&gt;</text>", ">B &amp; C</text>", ">0-10</text>", ">11+</text>",
                                 ">reference length in characters</text>", "BLEU|nrefs:1|case:mixed",
                                 ">token accuracy by sentence length</text>"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
}

TEST_F(ByLength, IntervalsAreOnesOfABootstrap) {
  const Result result = heed(command({"--significance", "confidence", "--samples", "50", good, bad}));
  EXPECT_NE(result.output.find(" ± "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("|bs:50|seed:12345"), std::string::npos) << result.output;
  const std::string figure = folder.path("figure.svg");
  heed(command({"--significance", "confidence", "--samples", "50", "--figure", figure, good, bad}));
  const std::string svg = folder.read("figure.svg");
  EXPECT_TRUE(std::regex_search(svg, std::regex("<title>[^<]*±"))) << "of each point";
}

TEST_F(ByLength, ALengthIsThatOfTheFirstReferenceWithoutSpaceAround) {
  const std::string longer = folder.file("longer", "a a a a a a\na a a a a a\na a a a a a\na a a a a a\n");
  const Result two = heed(command({"--reference", longer, "--bucket-width", "2", good}));
  EXPECT_NE(two.output.find("│                         0-2 │    2    │"), std::string::npos) << two.output;
  const std::string spaced = folder.file("spaced", "  ab  \nab\n ab\nab \n");
  const Result one = heed(command({"--source", spaced, "--length-unit", "characters", "--bucket-width", "2", good}));
  EXPECT_NE(one.output.find(" 0-2 │    4    │"), std::string::npos) << one.output;
}

TEST_F(ByLength, WhatDoesNotFitIsRefused) {
  expect_error(heed({"evaluate", "--reference", reference, "--bucket-width", "5", good}), 2,
               "`--source`, `--length-unit`, `--bucket-width`, `--longest` and `--label` go with `--by-length` "
               "or `--report`");
  expect_error(heed(command({"--longest", "25", good})), 2,
               "`--longest` must be a multiple of `--bucket-width`, 10, but is 25");
  expect_error(heed(command({"--label", "A", good, bad})), 2, "`--label` is given 1 time, but there are 2 systems");
  expect_error(heed(command({"--sentence-level", good})), 2, "`--by-length` does not go with `--sentence-level`");
  expect_error(heed(command({"--significance", "paired-bootstrap", good, bad})), 2,
               "`--by-length` goes with `--significance confidence` or none");
  expect_error(
      heed(command({"--figure", "lengths.pdf", good})), 2,
      "`--figure` cannot be a .pdf file: figures are written as .svg, which a browser or rsvg-convert can convert");
  const std::string picture = folder.file("text.svg", "a\n");
  const std::string message = "`--figure` must be another file than `" + picture + "`, which is read";
  expect_error(heed(command({"--figure", picture, picture})), 2, message);
  expect_error(heed(command({"--figure", picture, "--source", picture, good})), 2, message);
  const std::string shorter = folder.file("short", "a\n");
  expect_error(heed(command({"--source", shorter, good})), 1, shorter + ": has 1 line, but there are references for 4");
}

TEST_F(ByLength, AStrayLineDoesNotMakeRowsWithoutEnd) {
  std::string long_line;
  for (int i = 0; i < 5000; ++i) long_line += "a ";
  const std::string stray = folder.file("stray", "a a\na a a a\n" + long_line + "\na a\n");
  const std::vector<std::string> two{"--source", stray, "--bucket-width", "2", good};
  expect_error(heed(command(two)), 2, "`--longest` is needed: line 3 has a length of 5000, which would make 2500 rows");
  std::vector<std::string> limited = two;
  limited.insert(limited.end(), {"--longest", "4"});
  EXPECT_EQ(heed(command(limited)).code, 0);
}

}  // namespace
}  // namespace heed::end_to_end
