#include <gtest/gtest.h>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

const std::string kReference = "The cat sat on the mat.\nIt was warm, and the dog slept.\nNobody came.\n";
const std::string kSystem = "The cat sat on a mat.\nIt was warm and the dog slept.\nNobody came.\n";

class Evaluate : public testing::Test {
 protected:
  Folder folder;
  std::string reference = folder.file("reference", kReference);
  std::string system = folder.file("system", kSystem);
};

TEST_F(Evaluate, OneSystemIsSacrebleusLine) {
  const Result result = heed({"evaluate", "--reference", reference, system});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output,
            "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 58.6 94.4/80.0/58.3/33.3 "
            "(BP = 0.946 ratio = 0.947 hyp_len = 18 ref_len = 19)\n");
}

TEST_F(Evaluate, OptionsChangeScoreAndSignature) {
  const Result result = heed({"evaluate", "--reference", reference, "--tokenize", "none", "--lowercase", "--smooth",
                              "floor", "--smooth-value", "0.5", "--decimals=4", system});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.output,
            "BLEU|nrefs:1|case:lc|eff:no|tok:none|smooth:floor[0.50]|version:2.6.0 = 52.0448 86.7/66.7/44.4/28.6 "
            "(BP = 1.000 ratio = 1.000 hyp_len = 15 ref_len = 15)\n");
}

TEST_F(Evaluate, SeveralSystemsAndReferences) {
  const Result result = heed({"evaluate", "--reference", reference, "--reference", system, reference, system});
  EXPECT_EQ(result.code, 0);
  const std::vector<std::string> lines = lines_of(result.output);
  ASSERT_EQ(lines.size(), 2u);
  const std::string perfect = "BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 100.0 ";
  EXPECT_TRUE(lines[0].starts_with(reference + ": " + perfect)) << lines[0];
  EXPECT_TRUE(lines[1].starts_with(system + ": " + perfect)) << lines[1];
}

TEST_F(Evaluate, StandardInputIsADash) {
  EXPECT_EQ(heed({"evaluate", "--reference", reference, "-"}, kSystem).output,
            heed({"evaluate", "--reference", reference, system}).output);
}

TEST_F(Evaluate, WarnsOfTokenizedTextOnce) {
  std::string plain, tokenized;
  for (int i = 0; i < 100; ++i) {
    plain += "It is warm.\n";
    tokenized += "It is warm .\n";
  }
  const std::string right = folder.file("plain", plain), wrong = folder.file("tokenized", tokenized);
  const auto errors_of = [&](const Words& more) { return heed(Words{"evaluate", "--reference", right} + more).errors; };
  const std::string warning = "heed: warning: " + wrong +
                              " looks tokenized: 100 lines end in a period after a space. BLEU tokenizes the text "
                              "itself: give it detokenized text, or `--tokenize none`\n";
  EXPECT_EQ(errors_of({wrong, wrong}), warning);
  EXPECT_EQ(errors_of({"--tokenize", "none", wrong}), "");
  EXPECT_EQ(errors_of({"--metric", "chrf", wrong}), "");
  EXPECT_EQ(errors_of({right}), "");
}

TEST_F(Evaluate, UnequalLineCountsNameBoth) {
  const std::string shorter = folder.file("short", "one line\n");
  expect_error(heed({"evaluate", "--reference", reference, shorter}), 1,
               shorter + ": has 1 line, but " + reference + " has 3");
  expect_error(heed({"evaluate", "--reference", reference, "--reference", shorter, system}), 1,
               shorter + ": has 1 line, but " + reference + " has 3");
  expect_error(heed({"evaluate", "--reference", reference, "-"}, "one line\n"), 1,
               "standard input: has 1 line, but " + reference + " has 3");
}

TEST_F(Evaluate, BadInputIsNamed) {
  const std::string empty = folder.file("empty", "");
  const std::string invalid = folder.file("invalid", "fine\nnot \xff fine\nfine\n");
  expect_error(heed({"evaluate", "--reference", empty, empty}), 1, empty + ": has no lines");
  expect_error(heed({"evaluate", "--reference", reference, folder.path("none")}), 1,
               folder.path("none") + ": cannot open: No such file or directory");
  const Result result = heed({"evaluate", "--reference", reference, invalid});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(result.errors.starts_with("heed: " + invalid + ":2: ")) << result.errors;
}

TEST_F(Evaluate, EveryMetricHasItsLine) {
  const Result result =
      heed({"evaluate", "--reference", reference, "--metric", "bleu", "--metric", "chrf++", "--metric", "chrf",
            "--metric", "ter", "--chrf.char-order", "4", "--ter.normalized", system});
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output,
            "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 58.6 94.4/80.0/58.3/33.3 "
            "(BP = 0.946 ratio = 0.947 hyp_len = 18 ref_len = 19)\n"
            "chrF2++|nrefs:1|case:mixed|eff:yes|nc:4|nw:2|space:no|version:2.6.0 = 85.4\n"
            "chrF2|nrefs:1|case:mixed|eff:yes|nc:4|nw:0|space:no|version:2.6.0 = 86.5\n"
            "TER|nrefs:1|case:lc|tok:tercom|norm:yes|punct:yes|asian:no|version:2.6.0 = 10.5\n");
}

TEST_F(Evaluate, ConfidenceIsThatOfSacreBleu) {
  const Result result = heed({"evaluate", "--reference", reference, "--significance", "confidence", "--samples", "100",
                              "--seed", "7", "--threads", "3", system});
  const Result original = heed({"evaluate", reference, "-i", system, "-ci", "-cin", "100", "-f", "text"}, "",
                               {.folder = {}, .environment = {{"SACREBLEU_SEED", "7"}}});
  EXPECT_EQ(result.output, original.output);
  EXPECT_NE(result.output.find("|bs:100|seed:7|"), std::string::npos) << result.output;
}

TEST_F(Evaluate, PairedTestsAreThoseOfSacreBleu) {
  const std::string other = folder.file("other", "A cat sat on the mat.\nIt was warm, a dog slept.\nNobody came.\n");
  const auto compare = [&](const std::string& significance, const std::string& flag, const std::string& samples_flag) {
    const Result result = heed({"evaluate", "--reference", reference, "--significance", significance, "--samples", "50",
                                "--metric", "ter", "--metric", "bleu", system, other});
    const Result original =
        heed({"evaluate", reference, "-i", system, other, flag, samples_flag, "50", "-f", "text", "-m", "ter", "bleu"});
    EXPECT_EQ(result.output, original.output);
    EXPECT_NE(result.output.find("(p = "), std::string::npos) << result.output;
  };
  compare("paired-bootstrap", "-pbs", "-pbsn");
  compare("paired-randomization", "-par", "-parn");
}

/// The scores of sacreBLEU's lines, "BLEU|SIGNATURE = SCORE ...".
Words scores_of_sacrebleu(const Result& result) {
  Words scores;
  for (const std::string& line : lines_of(result.output)) {
    const size_t begin = line.find(" = ") + 3;
    scores.push_back(line.substr(begin, line.find(' ', begin) - begin));
  }
  return scores;
}

TEST_F(Evaluate, SentenceLevelHasALineForEach) {
  const Result result = heed({"evaluate", "--reference", reference, "--sentence-level", "--decimals", "2", system});
  const Result original = heed({"evaluate", reference, "-i", system, "-sl", "-w", "2"});
  const Words scores = scores_of_sacrebleu(original), lines = lines_of(result.output);
  ASSERT_EQ(scores.size(), 3u);
  const std::string signature = original.output.substr(0, original.output.find(" = "));
  EXPECT_EQ(lines,
            (Words{"# " + signature, "line\t" + system, "1\t" + scores[0], "2\t" + scores[1], "3\t" + scores[2]}));
}

TEST_F(Evaluate, SentenceLevelHasAColumnForEachSystemAndMetric) {
  const std::string other = folder.file("other", "A cat sat on the mat.\nIt was warm, a dog slept.\nNobody came.\n");
  const auto of_sacrebleu = [&](const std::string& file, const std::string& metric) {
    return scores_of_sacrebleu(heed({"evaluate", reference, "-i", file, "-sl", "-m", metric}));
  };
  const Words lines = lines_of(heed({"evaluate", "--reference", reference, "--sentence-level", "--metric", "bleu",
                                     "--metric", "ter", system, other})
                                   .output);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_TRUE(lines[0].starts_with("# BLEU|nrefs:1|")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("# TER|nrefs:1|")) << lines[1];
  EXPECT_EQ(lines[2], "line\tBLEU " + system + "\tBLEU " + other + "\tTER " + system + "\tTER " + other);
  for (size_t i = 0; i < 3; ++i) {
    std::string row = std::to_string(i + 1);
    for (const std::string metric : {"bleu", "ter"}) {
      for (const std::string& file : {system, other}) row += "\t" + of_sacrebleu(file, metric)[i];
    }
    EXPECT_EQ(lines[3 + i], row);
  }
}

TEST_F(Evaluate, TheWorstLinesComeFirstOnRequest) {
  const std::string right = folder.file("r", "a b c d\na b c d\na b c d\na b c d\n");
  const std::string some = folder.file("x", "a b c d\nx y z w\na b c x\nx y z w\n");
  const std::string all = folder.file("y", "x y z w\na b c d\na b c d\na b c d\n");
  const auto order = [&](const std::string& metric, const Words& files) {
    std::string numbers;
    const Words lines = lines_of(
        heed(Words{"evaluate", "--reference", right, "--sentence-level", "--worst-first", "--metric", metric} + files)
            .output);
    for (size_t i = 2; i < lines.size(); ++i) numbers += lines[i][0];
    return numbers;
  };
  EXPECT_EQ(order("bleu", {some, all}), "2431");
  EXPECT_EQ(order("ter", {some, all}), "2431") << "a lower rate is better";
  EXPECT_EQ(order("ter", {all, some}), "1234") << "the first system decides";
  const std::string lengths = folder.file("l", "a b c d\na b\na b c d e f g h\na b c d e\n");
  EXPECT_EQ(order("length-ratio", {lengths}), "3241") << "a ratio of 1 is best";
  expect_error(heed({"evaluate", "--reference", right, "--worst-first", some}), 2,
               "`--worst-first` goes with `--sentence-level`");
}

TEST_F(Evaluate, AByteOrderMarkIsDroppedExceptWithTheOptionsOfSacreBleu) {
  const std::string mark = "\xef\xbb\xbf", text = folder.read("reference");
  const std::string marked = folder.file("marked", mark + text);
  const auto is_perfect = [](const Words& arguments) {
    return heed(Words{"evaluate"} + arguments).output.find(" = 100.0 ") != std::string::npos;
  };
  EXPECT_TRUE(is_perfect({"--reference", marked, reference}));
  EXPECT_TRUE(is_perfect({"--reference", reference, marked}));
  EXPECT_FALSE(is_perfect({marked, "-i", reference, "-f", "text"}));
}

TEST_F(Evaluate, TabReferencesMayVaryInNumber) {
  const std::string several = folder.file("several",
                                          "The cat sat on the mat.\tThe cat sat on a mat.\n"
                                          "It was warm, and the dog slept.\nNobody came.\tNo one came.\n");
  const Result result = heed({"evaluate", "--reference", several, "--tab-references", system});
  EXPECT_TRUE(result.output.starts_with("BLEU|nrefs:var|")) << result.output;
  const Result two = heed({"evaluate", "--reference", several, "--reference", several, "--tab-references", system});
  EXPECT_EQ(two.code, 2);
  EXPECT_TRUE(two.errors.starts_with("heed: `--tab-references` goes with one `--reference` file")) << two.errors;
}

TEST_F(Evaluate, ATokenizerThatDoesNotSuitIsToldOnce) {
  const std::string chinese = folder.file("zh", "两个男人在修屋顶。\n");
  const Result usual = heed({"evaluate", "--reference", chinese, chinese});
  EXPECT_EQ(usual.code, 0);
  EXPECT_NE(usual.errors.find("which the tokenizer 13a cuts at spaces and punctuation only: `--tokenize` zh suits it"),
            std::string::npos)
      << usual.errors;
  EXPECT_EQ(heed({"evaluate", "--reference", chinese, "--tokenize", "zh", chinese}).errors, "");
  EXPECT_EQ(heed({"evaluate", "--reference", chinese, "--metric", "chrf", chinese}).errors, "");
}

/// As sacreBLEU does.
TEST_F(Evaluate, AMeanOfNothingHasNoConfidence) {
  const std::string wrong = folder.file("wrong", "x\nx\nx\n");
  const Result result =
      heed({"evaluate", "--reference", reference, "--significance", "confidence", "--samples", "20", wrong});
  EXPECT_NE(result.output.find(" = 0.0 0.0/"), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find("μ"), std::string::npos) << result.output;
}

TEST_F(Evaluate, SimpleMetricsHaveTheirLines) {
  const Result result = heed({"evaluate", "--reference", reference, "--metric", "multi-bleu", "--metric",
                              "length-ratio", "--metric", "token-accuracy", system});
  // 13 of 15 words, 8 of 12 pairs, 4 of 9 triples, 2 of 7 quadruples.
  EXPECT_EQ(result.output,
            "BLEU = 52.04, 86.7/66.7/44.4/28.6 (BP=1.000, ratio=1.000, hyp_len=15, ref_len=15)\n"
            "length ratio|nrefs:1 = 1.000 (hyp_len = 15 ref_len = 15)\n"
            "token accuracy|nrefs:1 = 86.7 (right = 13 tokens = 15)\n");
  const Result sure = heed({"evaluate", "--reference", reference, "--metric", "multi-bleu", "--significance",
                            "confidence", "--samples", "20", system});
  const std::string signature = "multi-bleu|nrefs:1|bs:20|seed:12345|case:mixed|tok:none|smooth:none = ";
  EXPECT_TRUE(sure.output.starts_with(signature)) << sure.output;
}

TEST_F(Evaluate, ALengthRatioHasThreeDecimalsInEveryReport) {
  const std::string shorter = folder.file("shorter", "The cat sat.\nIt was warm, and the dog slept.\nNobody.\n");
  const auto found = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"evaluate", "--reference", reference, "--metric", "length-ratio"};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = heed(words);
    return result.output.find("0.733") != std::string::npos ? "found" : result.output + result.errors;
  };
  EXPECT_EQ(found({shorter}), "found");
  EXPECT_EQ(found({shorter, "--by-length"}), "found");
  EXPECT_EQ(found({shorter, "--significance", "confidence", "--samples", "20"}), "found");
  EXPECT_EQ(found({"--significance", "paired-bootstrap", "--samples", "20", system, shorter}), "found");
}

TEST_F(Evaluate, SpaceAtTheEndsOfLinesIsNoneForAnyMetric) {
  const std::string spaced = folder.file("spaced", "The cat sat \n");
  const std::string other = folder.file("other", "the cat sits\n");
  const Result result =
      heed({"evaluate", "--reference", spaced, "--metric", "chrf", "--chrf.whitespace", "--decimals", "4", other});
  const Result original =
      heed({"evaluate", spaced, "-i", other, "-m", "chrf", "--chrf-whitespace", "-w", "4", "-f", "text"});
  EXPECT_EQ(result.output, original.output);
}

TEST_F(Evaluate, AlignmentsHaveAnErrorRate) {
  const std::string gold = folder.file("gold", "0-0 1-1 2?1\n0-1\n");
  const std::string found = folder.file("found", "0-0 2-1 1-2\n0-1\n");
  // 4 links; of 3 sure ones 2 are found, of 4 sure or possible ones 3.
  const std::string line = "AER = 28.57 (precision = 75.0 recall = 66.7 links = 4 sure = 3)\n";
  EXPECT_EQ(heed({"evaluate", "--alignment", gold, "--decimals", "2", found}).output, line);
  EXPECT_EQ(heed({"evaluate", "--alignment=" + gold, "--decimals=2", "-"}, "0-0 2-1 1-2\n0-1\n").output, line);
  const std::string other = folder.file("other", "0-0 1-1\n0-1\n");
  EXPECT_EQ(heed({"evaluate", "--alignment", gold, "--decimals", "2", found, other}).output,
            found + ": " + line + other + ": AER = 0.00 (precision = 100.0 recall = 100.0 links = 3 sure = 3)\n");
  const std::string empty = folder.file("empty", "");
  expect_error(heed({"evaluate", "--alignment", empty, empty}), 1, empty + ": has no lines");
  const std::string wrong = folder.file("wrong", "0-0\n0-x\n");
  expect_error(heed({"evaluate", "--alignment", gold, wrong}), 1,
               wrong + ":2: expected links such as 0-0, 3?4 or 3p4, found `0-x`");
  expect_error(heed({"evaluate", "--alignment", gold, folder.file("one", "0-0\n")}), 1,
               folder.path("one") + ": has 1 line, but " + gold + " has 2");
  const std::string possible = folder.file("possible", "0-0\n0?1\n");
  expect_error(heed({"evaluate", "--alignment", gold, found, possible}), 1,
               possible + ":2: expected links such as 0-0 only, found a possible one, which gold alignments have");
  const std::string twice = "standard input (-) is named twice; it can be read only once";
  expect_error(heed({"evaluate", "--alignment", "-", "-"}, "0-0\n"), 2, twice);
  expect_error(heed({"evaluate", "--reference", "-", "-"}, "a\n"), 2, twice);
  expect_error(heed({"evaluate", "--alignment", gold}), 2, "no alignments given: name their file after the options");
}

TEST_F(Evaluate, WrongUseIsExplained) {
  expect_error(heed({"evaluate", "--reference", reference}), 2,
               "no translations given: name their file after the options, or `-` for standard input");
  expect_error(heed({"evaluate", "--reference", reference, "--tokenise", "none", system}), 2,
               "`--tokenise` is not an option; did you mean `--tokenize`?");
  expect_error(heed({"evaluate", "--reference", reference, "--tokenize", "14a", system}), 2,
               "`--tokenize` must be one of 13a, intl, zh, char, none, ja-mecab, ko-mecab, spm, flores101, flores200, "
               "spBLEU-1K, but is `14a`; did you mean `13a`?");
  expect_error(heed({"evaluate", "--reference", reference, "--smooth-value", "1", system}), 2,
               "`--smooth-value` applies only when `smooth` is `floor` or `add-k`, but it is `exp`");
  expect_error(heed({"evaluate", "--reference", reference, "--metric", "rouge", system}), 2,
               "`--metric` must be one of bleu, chrf, chrf++, ter, multi-bleu, length-ratio, token-accuracy, wer, "
               "cer, accuracy, macro-f1, span-f1, mse, mae, but is `rouge`");
  expect_error(heed({"evaluate", "--reference", reference, "--metric", "ter", "--metric", "ter", system}), 2,
               "`--metric` names `ter` twice");
}

TEST_F(Evaluate, OptionsWithoutEffectAreRefused) {
  expect_error(heed({"evaluate", "--reference", reference, "--ter.normalized", system}), 2,
               "options of TER are given, but no `--metric ter`");
  expect_error(heed({"evaluate", "--reference", reference, "--metric", "ter", "--lowercase", system}), 2,
               "options of BLEU are given, but no `--metric bleu`");
  expect_error(heed({"evaluate", "--reference", reference, "--chrf.beta", "3", system}), 2,
               "options of chrF are given, but no `--metric chrf`");
  expect_error(heed({"evaluate", "--reference", reference, "--metric", "chrf++", "--chrf.word-order", "1", system}), 2,
               "`--chrf.word-order` is 2 with `--metric chrf++`; use `--metric chrf` for another");
  expect_error(heed({"evaluate", "--reference", reference, "--metric", "chrf++", "--chrf.word-order", "0", system}), 2,
               "`--chrf.word-order` is 2 with `--metric chrf++`; use `--metric chrf` for another");
  expect_error(heed({"evaluate", "--reference", reference, "--metric", "ter", "--tokenize", "13a", system}), 2,
               "options of BLEU are given, but no `--metric bleu`");
  expect_error(heed({"evaluate", "--reference", reference, "--bucket-width", "10", system}), 2,
               "`--source`, `--length-unit`, `--bucket-width`, `--longest` and `--label` go with `--by-length` "
               "or `--report`");
  expect_error(heed({"evaluate", "--reference", reference, "--by-length", "--figure", "-", system}), 2,
               "`--figure` must be a file: standard output has the table");
  expect_error(heed({"evaluate", "--reference", reference, "--samples", "10", system}), 2,
               "`--samples` applies only when `significance` is `confidence`, `paired-bootstrap` or "
               "`paired-randomization`, but it is `none`");
  expect_error(heed({"evaluate", "--reference", reference, "--significance", "paired-bootstrap", system}), 2,
               "`--significance` paired-bootstrap and paired-randomization need a baseline and at least one more file "
               "of translations");
  expect_error(heed({"evaluate", "--reference", reference, "--sentence-level", "--significance", "confidence", system}),
               2, "`--sentence-level` does not go with `--significance`");
}

TEST_F(Evaluate, HelpTeachesBothGrammars) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"evaluate", "--help"},
                                             {"evaluate", "-h"},
                                             {"help", "evaluate"},
                                             {"evaluate", "--reference", "x", "--help"}}) {
    const Result result = heed(arguments);
    EXPECT_EQ(result.code, 0);
    EXPECT_NE(result.output.find("--significance NAME"), std::string::npos);
    EXPECT_NE(result.output.find("-pbs, --paired-bs"), std::string::npos);
    EXPECT_NE(result.output.find("--reference FILE "), std::string::npos);
  }
}

}  // namespace
}  // namespace heed::end_to_end
