#include <gtest/gtest.h>

#include <filesystem>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

const std::string kText = "low low low lower\nlowest newest  newer \n";
// Pairs by frequency: l-o 5 times, then w-e 4 times (lower, lowest, newest, newer), and lo-w</w> 3 times.
const std::string kCodes = "#version: 0.2\nl o\nw e\nlo w</w>\n";

class Bpe : public testing::Test {
 protected:
  Folder folder;
  std::string text = folder.file("text", kText);
  std::string codes = folder.file("codes", kCodes);
};

TEST_F(Bpe, LearnsAppliesAndCounts) {
  EXPECT_EQ(heed({"bpe", "learn", "-s", "3"}, kText).output, kCodes);
  const std::string units = "low low low lo@@ we@@ r\nlo@@ we@@ s@@ t n@@ e@@ we@@ s@@ t n@@ e@@ we@@ r \n";
  EXPECT_EQ(heed({"bpe", "apply", "--codes", codes, "-i", text}).output, units);
  EXPECT_EQ(heed({"bpe", "vocabulary"}, units).output, "we@@ 4\nlow 3\nlo@@ 2\nr 2\ns@@ 2\nt 2\nn@@ 2\ne@@ 2\n");
}

TEST_F(Bpe, SubwordNmtsNamesAndLettersWork) {
  const std::string out = folder.path("out");
  EXPECT_EQ(
      heed({"bpe", "learn-bpe", "-i", text, "-o", out, "-s3", "--min-frequency", "2", "-v"}).errors,
      "pair 0: l o -> lo (frequency 5)\npair 1: w e -> we (frequency 4)\npair 2: lo w</w> -> low</w> (frequency 3)\n");
  EXPECT_EQ(folder.read("out"), kCodes);
  EXPECT_EQ(heed({"bpe", "apply-bpe", "-c", codes, "-m", "1", "-s", "_"}, "low").output, "lo_ w");
  EXPECT_EQ(heed({"bpe", "get-vocab", "-i", text, "-o", "-"}).output,
            heed({"bpe", "vocabulary", "--input", text}).output);
  EXPECT_EQ(heed({"bpe", "learn-joint-bpe-and-vocab", "-i", text, text, "-o", out, "-s", "2", "--write-vocabulary",
                  folder.path("a"), folder.path("b")})
                .code,
            0);
  EXPECT_EQ(folder.read("out"), "#version: 0.2\nl o\nw e\n");
  EXPECT_EQ(folder.read("a"), "lo@@ 5\nwe@@ 4\nw 3\nr 2\ns@@ 2\nt 2\nn@@ 2\ne@@ 2\n");
  EXPECT_EQ(folder.read("b"), folder.read("a"));
}

TEST_F(Bpe, DropoutFollowsPythonsRandomNumbers) {
  // random.seed(1) gives 0.134, 0.847, 0.764, 0.255, ...: of l-o and o-w</w> the first is left out, then the other is
  // no merge
  const Result result = heed({"bpe", "apply", "-c", codes, "--dropout", "0.5", "--seed", "1"}, "low");
  EXPECT_EQ(result.output, "l@@ o@@ w");
}

TEST_F(Bpe, AnyNumberOfWorkersGivesTheSame) {
  std::string long_text;
  for (int i = 0; i < 40000; ++i) long_text += "lower newest low " + std::to_string(i) + "\n";
  const std::string path = folder.file("long", long_text);
  const Result one = heed({"bpe", "apply", "-c", codes, "-i", path});
  EXPECT_EQ(one.output, heed({"bpe", "apply", "-c", codes, "-i", path, "--num-workers", "3"}).output);
  EXPECT_EQ(heed({"bpe", "learn", "-s", "20", "-i", path}).output,
            heed({"bpe", "learn", "-s", "20", "-i", path, "--num-workers", "-1"}).output);
}

TEST_F(Bpe, WrongUseIsExplained) {
  expect_error(
      heed({"bpe"}), 2,
      "`heed bpe` needs a command: learn, apply, vocabulary or learn-joint; `heed bpe --help` shows the first steps");
  expect_error(
      heed({"bpe", "lern"}), 2,
      "`lern` is not a command of `heed bpe`; did you mean `learn`? The commands are learn, apply, vocabulary and "
      "learn-joint");
  expect_error(heed({"bpe", "apply"}), 2, "`--codes` is missing: name the file of merges that `heed bpe learn` wrote");
  expect_error(heed({"bpe", "apply", "-c", codes, "--vocabulary-threshold", "5"}), 2,
               "`--vocabulary-threshold` has no effect without `--vocabulary`");
  expect_error(heed({"bpe", "learn"}, "a b c\n"), 1, "no merge can be learned: no word of the text has two characters");
  expect_error(heed({"bpe", "learn", "--dict-input"}, "low 5\nhigh\n"), 1,
               "standard input:2: expected a word, a space and its count, found 'high'");
  EXPECT_TRUE(heed({"bpe", "--help"}).output.starts_with("usage: heed bpe COMMAND"));
  EXPECT_EQ(heed({"help", "bpe", "apply"}).output, heed({"bpe", "apply", "--help"}).output);
}

TEST_F(Bpe, ATokenizersTokensAreShown) {
  const std::string words = folder.file("source.words", "#version: 1\n<pad>\n<unk>\n<s>\n</s>\nlow\nhouse\n");
  EXPECT_EQ(heed({"tokenize", "--tokenizer", words}, "low house\n\na low\n").output, "low house\n\n<unk> low\n");
  EXPECT_EQ(heed({"tokenize", "--tokenizer", words, "--format", "id"}, "low house\n").output, "4 5\n");
  EXPECT_EQ(heed({"tokenize", "--tokenizer", words, "--statistics"}, "low house\n\na low\n").output,
            "lines: 3\ntokens: 4\ntokens per line: 1.33\nunknown: 1\nunknown percent: 25.000\nvocabulary: 6\n");
  expect_error(heed({"tokenize"}), 2, "`--tokenizer` is missing: name the file, such as models/en-de/source.spm");
}

TEST_F(Bpe, LinesOfStandardInputEndAsThoseOfAFile) {
  const std::string odd = "low\u2028lower low\r\nlow\flow\n";
  const Result of_file = heed({"bpe", "apply", "-c", codes, "-i", folder.file("odd", odd)});
  EXPECT_EQ(of_file.output, "lo@@ w@@ \u2028lo@@ we@@ r low\r\nlo@@ w@@ \flow\n");
  EXPECT_EQ(heed({"bpe", "apply", "-c", codes}, odd).output, of_file.output);
}

TEST_F(Bpe, AnOutputThatCannotBeWrittenLeavesNoOther) {
  const Result result = heed(
      {"bpe", "learn-joint", "-i", text, "-o", folder.path("new"), "--write-vocabulary", folder.path("no/vocabulary")});
  expect_error(result, 1, folder.path("no/vocabulary") + ": cannot write: No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(folder.path("new")));
}

TEST_F(Bpe, WhatIsReadTwiceIsNoStream) {
  const std::vector<std::string> outputs{"-o", folder.path("new"), "--write-vocabulary", folder.path("v")};
  std::vector<std::string> command{"bpe", "learn-joint", "-i", "-"};
  command.insert(command.end(), outputs.begin(), outputs.end());
  expect_error(heed(command, "low low\n"), 2,
               "`--input` must name files, which are read twice, but standard input is a stream");
  EXPECT_FALSE(std::filesystem::exists(folder.path("new")));
}

TEST_F(Bpe, CountsThatCannotBeAddedAreRefused) {
  expect_error(heed({"bpe", "learn", "--dict-input"}, "abab 9223372036854775807\n"), 1,
               "standard input: has counts that are too great to be added up");
}

TEST_F(Bpe, OptionsWithoutEffectAreErrors) {
  expect_error(heed({"spm", "encode", "--model", codes, "--seed", "3"}, "a\n"), 2,
               "`--seed` has no effect without `--nbest` or `--alpha`");
  expect_error(heed({"bpe", "apply", "-c", codes, "--seed", "3"}, "a\n"), 2,
               "`--seed` has no effect without `--dropout`");
  expect_error(heed({"tokenize", "--tokenizer", codes, "--statistics", "--format", "id"}, "a\n"), 2,
               "`--format` has no effect with `--statistics`");
}

TEST_F(Bpe, ResultsDoNotTakeThePlaceOfWhatIsRead) {
  const std::string kept = folder.file("kept", "low low\n");
  const std::string words = folder.file("source.words", "#version: 1\n<pad>\n<unk>\n<s>\n</s>\nlow\n");
  const std::string again = folder.path("link");
  std::filesystem::create_symlink(kept, again);
  const std::string message = "`--output` must be another file than `" + kept + "`, which is read";
  expect_error(heed({"bpe", "learn", "-i", kept, "-o", kept}), 2, message);
  expect_error(heed({"bpe", "apply", "-c", codes, "-i", kept, "-o", folder.path("./kept")}), 2, message);
  expect_error(heed({"bpe", "vocabulary", "-i", kept, "-o", again}), 2, message);
  expect_error(heed({"tokenize", "--tokenizer", words, "--input", kept, "--output", again}), 2, message);
  expect_error(heed({"embeddings", "train", "--input", kept, "--output", kept}), 2, message);
  const auto joint = [&](const std::string& output, const std::string& vocabulary) {
    return heed({"bpe", "learn-joint", "-i", kept, "-o", output, "--write-vocabulary", vocabulary});
  };
  expect_error(joint(folder.path("new"), kept), 2,
               "`--write-vocabulary` must be another file than `" + kept + "`, which is read");
  expect_error(joint(folder.path("new"), folder.path("./new")), 2,
               "`--write-vocabulary` must be another file than that of `--output`");
  std::filesystem::create_symlink(folder.path("new"), folder.path("link to new"));
  expect_error(joint(folder.path("new"), folder.path("link to new")), 2,
               "`--write-vocabulary` must be another file than that of `--output`");
  expect_error(heed({"bpe", "learn-joint", "-i", kept, kept, "-o", folder.path("new"), "--write-vocabulary",
                     folder.path("v"), folder.path("./v")}),
               2, "`--write-vocabulary` must be another file than that of `--write-vocabulary`");
  expect_error(heed({"bpe", "learn-joint", "-i", kept, "-o", folder.path("new"), "--write-vocabulary", folder.path("v"),
                     folder.path("w")}),
               2, "`--write-vocabulary` must name one file for each input, 2 for 1 is not");
  const std::string read = folder.file("vocabulary", "low 2\n");
  expect_error(heed({"bpe", "apply", "-c", codes, "--vocabulary", read, "-i", kept, "-o", read}), 2,
               "`--output` must be another file than `" + read + "`, which is read");
  const std::string local = std::filesystem::relative(folder.path("new"));
  expect_error(joint("./" + local, local), 2, "`--write-vocabulary` must be another file than that of `--output`");
  expect_error(heed({"bpe", "learn", "-i", kept, "-o", ""}), 2,
               "`--output` is empty: give it a value, or leave it out");
  EXPECT_EQ(folder.read("kept"), "low low\n");
  EXPECT_EQ(heed({"bpe", "vocabulary", "-i", kept, "-o", "/dev/null"}).code, 0);
}

TEST_F(Bpe, SentencePieceTrainsEncodesAndDecodes) {
  std::string lines;
  for (int i = 0; i < 60; ++i) lines += "the lower house and the newest low house " + std::to_string(i % 7) + "\n";
  const std::string corpus = folder.file("corpus", lines);
  const std::string prefix = folder.path("model");
  EXPECT_EQ(heed({"spm", "train", "--input=" + corpus, "--model-prefix", prefix, "--vocab_size=40",
                  "--hard_vocab_limit=false", "--minloglevel=3"})
                .code,
            0);
  const std::string second = folder.file("second", "yyyyyy zzzzzz\nzzzzzz yyyyyy\n");
  EXPECT_EQ(heed({"spm", "train", "--input=" + corpus + "," + second, "--model_prefix", folder.path("both"),
                  "--vocab_size=40", "--hard_vocab_limit=false", "--minloglevel=3"})
                .code,
            0);
  EXPECT_NE(folder.read("both.vocab").find("z"), std::string::npos) << "of both texts";
  EXPECT_EQ(folder.read("model.vocab").find("z"), std::string::npos);
  const std::string model = prefix + ".model";
  for (const std::string format : {"piece", "id"}) {
    const Result encoded = heed({"spm", "encode", "--model", model, "--output_format=" + format}, lines);
    EXPECT_EQ(lines_of(encoded.output).size(), 60u);
    EXPECT_EQ(heed({"spm", "decode", "--model", model, "--input-format", format}, encoded.output).output, lines);
  }
  const std::vector<std::string> draw{"spm", "encode", "--model", model, "--nbest", "-1", "--alpha", "0.1", "--seed"};
  const auto drawn = [&](const std::string& seed) {
    std::vector<std::string> arguments = draw;
    arguments.push_back(seed);
    return heed(arguments, lines).output;
  };
  expect_error(heed({"spm", "encode", "--model", model, "--nbest", "1", "--seed", "3"}, "a\n"), 2,
               "`--nbest` 1 leaves nothing to sample, so that `--alpha` and `--seed` have no effect");
  EXPECT_EQ(drawn("1"), drawn("1"));
  EXPECT_NE(drawn("1"), drawn("2"));
  EXPECT_EQ(heed({"spm", "decode", "--model", model}, drawn("2")).output, lines);
  EXPECT_EQ(heed({"spm", "decode", "--model", model}, "the low\u00A0er\n").output, "thelow\u00A0er\n")
      << "blanks alone";
  expect_error(heed({"spm", "decode", "--model", model, "--input-format", "id"}, "5 x\n"), 1,
               "standard input:1: expected ids of the model, found '5 x'");
  expect_error(heed({"spm", "encode", "--model", model, "--input", corpus, "--output", corpus}), 2,
               "`--output` must be another file than `" + corpus + "`, which is read");
  expect_error(heed({"spm", "encode", "--model", corpus}, "a"), 1, corpus + ": expected a SentencePiece model");
  const Result refused = heed({"spm", "train", "--input=" + corpus, "--model_prefix=" + prefix, "--vocab-sice=40"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.errors.find("vocab_sice"), std::string::npos) << refused.errors;
  const auto train = [&](const std::string& input, const std::string& made) {
    return heed({"spm", "train", "--input=" + input, "--model_prefix=" + made, "--vocab_size=40"});
  };
  expect_error(train(folder.path("none"), prefix), 1, folder.path("none") + ": cannot open: No such file or directory");
  expect_error(train(folder.file("empty", ""), prefix), 1, "no text to learn from: the input has no words");
  expect_error(train(folder.file("blank", " \n\n"), prefix), 1, "no text to learn from: the input has no words");
  const std::string packed = folder.file("packed", "\x1f\x8b\x08");
  expect_error(train(packed, prefix), 1,
               packed + ": is compressed, which SentencePiece cannot read; give `--input=<(gzip -dc " + packed + ")`");
  const std::string vocabulary = folder.file("own.vocab", "a b\n");
  expect_error(train(vocabulary, folder.path("own")), 2,
               "`--model_prefix` must be another file than `" + vocabulary + "`, which is read");
  expect_error(train(corpus, folder.path("no/model")), 1,
               folder.path("no/model.model") + ": cannot write: No such file or directory");
}

TEST_F(Bpe, ABytePairModelDrawsWhateverTheListWouldBe) {
  std::string lines;
  for (int i = 0; i < 60; ++i) lines += "the lower house and the newest low house\n";
  const std::string prefix = folder.path("pairs");
  const std::string corpus = folder.file("pairs.corpus", lines);
  const Result trained = heed({"spm", "train", "--input=" + corpus, "--model_prefix=" + prefix, "--model_type=bpe",
                               "--vocab_size=40", "--hard_vocab_limit=false", "--minloglevel=3"});
  EXPECT_EQ(trained.code, 0) << trained.errors;
  const std::string model = prefix + ".model";
  const auto drawn = [&](const std::string& nbest) {
    return heed({"spm", "encode", "--model", model, "--nbest", nbest, "--alpha", "0.5", "--seed", "3"}, lines);
  };
  EXPECT_EQ(drawn("1").code, 0) << drawn("1").errors;
  EXPECT_EQ(drawn("1").output, drawn("-1").output);
  EXPECT_NE(drawn("1").output, heed({"spm", "encode", "--model", model}, lines).output);
}

TEST_F(Bpe, ValuesThatSentencePieceRefusesAreUsageErrors) {
  const std::string corpus = folder.file("few", "low lower lowest\n");
  for (const std::string wrong :
       {"--vocab_size=0", "--vocab_size=100000", "--vocab_size=abc", "--character_coverage=5"}) {
    const Result refused = heed({"spm", "train", "--input=" + corpus, "--model_prefix=" + folder.path("few"), wrong});
    EXPECT_EQ(refused.code, 2) << wrong << ": " << refused.errors;
  }
}

TEST_F(Bpe, PiecesOfLineEndsAreDecodedIntoOneLine) {
  const std::string prefix = folder.path("bytes");
  const std::string corpus = folder.file("words", "low lower lowest\nnew newer newest\n");
  EXPECT_EQ(heed({"spm", "train", "--input=-", "--model_prefix=" + prefix, "--vocab_size=280", "--byte_fallback=true",
                  "--hard_vocab_limit=false", "--minloglevel=3"},
                 folder.read("words"))
                .code,
            0);
  const Result decoded = heed({"spm", "decode", "--model", prefix + ".model"}, "<0x0A>\n\u2581low <0x0D>\n");
  EXPECT_EQ(decoded.output, " \nlow \n");
}

}  // namespace
}  // namespace heed::end_to_end
