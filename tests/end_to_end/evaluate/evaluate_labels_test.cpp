// `heed evaluate` of what is no translation: transcripts, labels, numbers.
#include <gtest/gtest.h>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

class EvaluateLabels : public testing::Test {
 protected:
  std::vector<std::string> command(const std::string& metric, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"evaluate", "--reference", folder.path("gold"), "--metric", metric};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// What a metric says of these lines.
  Result score(const std::string& metric, const std::string& gold, const std::string& found) const {
    folder.file("gold", gold);
    return heed(command(metric, {folder.file("found", found)}));
  }

  Folder folder;
};

TEST_F(EvaluateLabels, TranscriptsHaveErrorRates) {
  const std::string gold = "the cat sat\nno\n", found = "the cat sit down\nno\n";
  EXPECT_EQ(score("wer", gold, found).output,
            "WER|nrefs:1 = 50.0 (substituted = 1 deleted = 0 inserted = 1 words = 4)\n");
  EXPECT_EQ(score("cer", gold, found).output,
            "CER|nrefs:1 = 46.2 (substituted = 1 deleted = 0 inserted = 5 characters = 13)\n");
}

TEST_F(EvaluateLabels, LabelsHaveAccuracyAndMacroF1) {
  const std::string gold = "good\nbad\nbad\ngood\n", found = "good\ngood\nbad\nawful\n";
  EXPECT_EQ(score("accuracy", gold, found).output, "accuracy|nrefs:1 = 50.0 (right = 2 labels = 4)\n");
  // good: 1 of 2 and 2; bad: 1 of 1 and 2; awful: found alone.
  EXPECT_EQ(score("macro-f1", gold, found).output, "macro F1|nrefs:1 = 38.9 (classes = 3 labels = 4)\n");
}

TEST_F(EvaluateLabels, TagsHaveSpans) {
  EXPECT_EQ(score("span-f1", "B-PER I-PER O B-LOC\n", "B-PER I-PER O O\n").output,
            "span F1|nrefs:1 = 66.7 (precision = 100.0 recall = 50.0 right = 1 found = 1 gold = 2)\n");
}

TEST_F(EvaluateLabels, NumbersHaveMeanErrors) {
  EXPECT_EQ(score("mse", "1 2\n-3\n", "1.5 2\n-3.25\n").output, "MSE|nrefs:1 = 0.1042 (numbers = 3)\n");
  EXPECT_EQ(score("mae", "1 2\n-3\n", "1.5 2\n-3.25\n").output, "MAE|nrefs:1 = 0.2500 (numbers = 3)\n");
}

TEST_F(EvaluateLabels, WhatDoesNotFitIsNamedByFileAndLine) {
  const std::string place = folder.path("found") + ":2: ";
  for (const std::string metric : {"accuracy", "macro-f1", "span-f1"}) {
    expect_error(score(metric, "O\nO O\n", "O\nO\n"), 1, place + "expected 2 labels, found 1");
  }
  expect_error(score("span-f1", "O\nO\n", "O\nNOUN\n"), 1,
               place + "expected tags such as O, B-PER, I-PER, E-PER and S-PER, found `NOUN`");
  for (const std::string metric : {"mse", "mae"}) {
    expect_error(score(metric, "1\n2\n", "1\n2 3\n"), 1, place + "expected 1 number, found 2");
    expect_error(score(metric, "1\n2\n", "1\ntwo\n"), 1, place + "expected finite numbers, found `two`");
    expect_error(score(metric, "1\n2\n", "1\nnan\n"), 1, place + "expected finite numbers, found `nan`");
    expect_error(score(metric, "1\ninf\n", "1\n2\n"), 1,
                 place + "expected finite numbers in the reference, found `inf`");
  }
  const std::string gold = folder.file("gold", "O\n");
  expect_error(heed(command("accuracy", {"--reference", gold, gold})), 1,
               gold + ":1: labels are compared with one reference, found 2");
}

TEST_F(EvaluateLabels, EachReportNamesTheFileAndLine) {
  folder.file("gold", "a\nb\n");
  const std::string good = folder.file("good", "a\nb\n"), bad = folder.file("bad", "a\nb b\n");
  const std::string message = bad + ":2: expected 1 label, found 2";
  expect_error(heed(command("accuracy", {good, bad})), 1, message);
  expect_error(heed(command("accuracy", {"--sentence-level", bad})), 1, message);
  expect_error(heed(command("accuracy", {"--by-length", good, bad})), 1, message);
  expect_error(heed(command("accuracy", {"--significance", "paired-bootstrap", good, bad})), 1, message);
}

TEST_F(EvaluateLabels, SignificanceComesWithEveryMetric) {
  folder.file("gold", "1\n0\n1\n1\n0\n1\n");
  const std::string same = folder.file("same", "1\n0\n1\n1\n0\n1\n"),
                    other = folder.file("other", "1\n1\n1\n0\n0\n1\n");
  for (const std::string metric : {"wer", "cer", "accuracy", "macro-f1", "mse", "mae"}) {
    const Result sure = heed(command(metric, {"--significance", "confidence", "--samples", "50", other}));
    EXPECT_NE(sure.output.find("|bs:50|seed:12345 = "), std::string::npos) << sure.output << sure.errors;
    EXPECT_NE(sure.output.find(" (μ = "), std::string::npos) << sure.output;
    for (const std::string test : {"paired-bootstrap", "paired-randomization"}) {
      const Result paired = heed(command(metric, {"--significance", test, "--samples", "50", other, same}));
      EXPECT_NE(paired.output.find("(p = "), std::string::npos) << paired.output << paired.errors;
    }
  }
}

TEST_F(EvaluateLabels, MacroF1KnowsTheLabelsOfAllSystems) {
  folder.file("gold", "a\nb\n");
  const std::string one = folder.file("one", "a\nc\n"), two = folder.file("two", "d\nb\n");
  EXPECT_EQ(heed(command("macro-f1", {one, two})).output, one + ": macro F1|nrefs:1 = 33.3 (classes = 3 labels = 2)\n" +
                                                              two +
                                                              ": macro F1|nrefs:1 = 33.3 (classes = 3 labels = 2)\n");
}

}  // namespace
}  // namespace heed::end_to_end
