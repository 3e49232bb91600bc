// `heed evaluate --confusion`
#include <gtest/gtest.h>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

class ConfusionTable : public testing::Test {
 protected:
  std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"evaluate", "--confusion", "--reference", gold};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  Folder folder;
  std::string gold = folder.file("gold", "pos\nneg\n0.5\npos\n");
  std::string found = folder.file("found", "pos\npos\n0.5\nneg\n");
};

TEST_F(ConfusionTable, HasARowForEachClassAndTheMatrix) {
  const Result result = heed(command({"--decimals", "2", found}));
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output,
            "╒═════════════════╤═════════════╤══════════╤════════╤═══════════╕\n"
            "│           class │  precision  │  recall  │   F1   │  support  │\n"
            "╞═════════════════╪═════════════╪══════════╪════════╪═══════════╡\n"
            "│             0.5 │   100.00    │  100.00  │ 100.00 │     1     │\n"
            "├─────────────────┼─────────────┼──────────┼────────┼───────────┤\n"
            "│             neg │    0.00     │   0.00   │  0.00  │     1     │\n"
            "├─────────────────┼─────────────┼──────────┼────────┼───────────┤\n"
            "│             pos │    50.00    │  50.00   │ 50.00  │     2     │\n"
            "├─────────────────┼─────────────┼──────────┼────────┼───────────┤\n"
            "│ mean of classes │    50.00    │  50.00   │ 50.00  │     4     │\n"
            "╘═════════════════╧═════════════╧══════════╧════════╧═══════════╛\n"
            "accuracy = 50.00 (right = 2 labels = 4)\n"
            "╒════════════════════╤═══════╤═══════╤═══════╕\n"
            "│   gold \\ predicted │  0.5  │  neg  │  pos  │\n"
            "╞════════════════════╪═══════╪═══════╪═══════╡\n"
            "│                0.5 │   1   │   0   │   0   │\n"
            "├────────────────────┼───────┼───────┼───────┤\n"
            "│                neg │   0   │   0   │   1   │\n"
            "├────────────────────┼───────┼───────┼───────┤\n"
            "│                pos │   0   │   1   │   1   │\n"
            "╘════════════════════╧═══════╧═══════╧═══════╛\n");
}

TEST_F(ConfusionTable, ManyClassesHaveAListOfConfusions) {
  std::string many, most;
  for (int i = 10; i < 31; ++i) {
    many += std::to_string(i) + " 10 10 \n";
    most += std::to_string(i) + " 10 11 \n";
  }
  folder.file("gold", many);
  const Result result = heed(command({folder.file("found", most)}));
  EXPECT_EQ(result.output.find("gold \\ predicted"), std::string::npos);
  EXPECT_NE(result.output.find("the most frequent of 1 confusion:\n"
                               "╒════════╤═════════════╤══════════╤═════════════╕\n"
                               "│   gold │  predicted  │  labels  │  % of gold  │\n"
                               "╞════════╪═════════════╪══════════╪═════════════╡\n"
                               "│     10 │     11      │    21    │    48.8     │\n"),
            std::string::npos)
      << result.output;
  const Result right = heed(command({gold}));
  EXPECT_TRUE(right.output.ends_with("accuracy = 100.0 (right = 63 labels = 63)\n")) << right.output;
}

TEST_F(ConfusionTable, TwentyClassesAreAMatrixAndTwentyConfusionsAList) {
  std::string twenty, more, taken;
  for (int i = 0; i < 40; ++i) {
    if (i < 20) twenty += std::to_string(i) + "\n";
    more += std::to_string(i) + "\n";
    taken += std::to_string(i < 25 ? 39 : i) + "\n";  // 25 confusions
  }
  folder.file("gold", twenty);
  EXPECT_NE(heed(command({gold})).output.find("gold \\ predicted"), std::string::npos);
  folder.file("gold", more);
  const std::string output = heed(command({folder.file("found", taken)})).output;
  const size_t list = output.find("the most frequent of 25 confusions:\n");
  ASSERT_NE(list, std::string::npos) << output;
  size_t rows = 0;
  for (const std::string& line : lines_of(output.substr(list))) rows += line.starts_with("│") ? 1 : 0;
  EXPECT_EQ(rows, 1U + 20U) << "with the names of the columns";
}

TEST_F(ConfusionTable, DrawsAHeatMap) {
  const std::string figure = folder.path("map.svg");
  const Result result = heed(command({"--figure", figure, found}));
  EXPECT_EQ(result.code, 0) << result.errors;
  const std::string svg = folder.read("map.svg");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << svg.substr(0, 100);
  for (const std::string text : {"<title>neg – pos: 0.50</title>", "<title>pos – neg: 1.00</title>", ">0.5</text>",
                                 "0.5: 100.0% right; neg: 0.0% right; pos: 50.0% right",
                                 "share of a class&#39;s labels (row) that were predicted as a class (column)"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text << svg;
  }
}

TEST_F(ConfusionTable, AFigureHasRoomForSoManyClasses) {
  std::string many;
  for (int i = 0; i < 201; ++i) many += std::to_string(i) + " ";
  folder.file("gold", many + "\n");
  expect_error(heed(command({"--figure", folder.path("map.svg"), gold})), 2,
               "`--figure` can show at most 200 classes, but there are 201");
}

TEST_F(ConfusionTable, WhatDoesNotGoWithItIsRefused) {
  const std::vector<std::vector<std::string>> others{{"--metric", "accuracy"},
                                                     {"--tokenize", "none"},
                                                     {"--ter.normalized"},
                                                     {"--sentence-level"},
                                                     {"--by-length"},
                                                     {"--label", "A"},
                                                     {"--significance", "confidence"},
                                                     {"--threads", "2"},
                                                     {"--tab-references"}};
  for (std::vector<std::string> other : others) {
    const std::string message = "`--confusion` does not go with `" + other[0] + "`";
    other.push_back(found);
    expect_error(heed(command(other)), 2, message);
  }
  const std::string one = "`--confusion` takes one `--reference` and one file of labels";
  expect_error(heed(command({found, found})), 2, one);
  expect_error(heed(command({"--reference", gold, found})), 2, one);
  expect_error(heed({"evaluate", "--confusion", found}), 2,
               "`--reference` is missing: name the file with reference translations");
  expect_error(heed(command({})), 2,
               "no translations given: name their file after the options, or `-` for standard input");
  expect_error(heed(command({"--figure", found, found})), 2,
               "`--figure` must be another file than `" + found + "`, which is read");
  expect_error(heed({"evaluate", "--reference", gold, "--figure", "map.svg", found}), 2,
               "`--figure` goes with `--by-length` or `--confusion`");
}

TEST_F(ConfusionTable, BadLabelsAreNamed) {
  const std::string wrong = folder.file("wrong", "pos\nneg neg\n0.5\npos\n");
  expect_error(heed(command({wrong})), 1, wrong + ":2: expected 1 label, found 2");
  folder.file("gold", "\n");
  expect_error(heed(command({folder.file("found", "\n")})), 1, gold + ": has no labels");
}

}  // namespace
}  // namespace heed::end_to_end
