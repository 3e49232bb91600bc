// heed embeddings, and a model that begins with its vectors.
#include <gtest/gtest.h>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

std::string repeated(const Words& lines, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) {
    for (const std::string& line : lines) text += line + '\n';
  }
  return text;
}

TEST(Embeddings, LearnedVectorsAreLookedAtAndGivenToAModel) {
  const Folder folder;
  const std::string english = folder.file("en", repeated({"one two three", "two one", "three three one two"}, 20));
  const std::string german = folder.file("de", repeated({"drei zwei eins", "eins zwei", "zwei eins drei drei"}, 20));
  const std::string file = folder.path("en.vec");
  const Result made =
      heed({"embeddings", "train", "--input", english, "--output", file, "--width", "16", "--method", "cbow"});
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_EQ(made.output, "");
  EXPECT_EQ(made.errors, "3 words, 180 tokens\n");
  EXPECT_EQ(folder.read("en.vec").substr(0, 9), "3 16\none ");

  const Result near = heed({"embeddings", "nearest", "--vectors", file, "one", "--count", "1"});
  EXPECT_EQ(near.code, 0) << near.errors;
  EXPECT_EQ(near.output.substr(0, 4), "one\t");
  EXPECT_EQ(lines_of(near.output).size(), 1u);

  // clang-format off
  Words train{"train", "--preset", "rnn-bahdanau", "--source", english, "--target", german, "--model",
              folder.path("model"), "--text.type", "words", "--text.joint", "false", "--arch.d-model", "16",
              "--arch.encoder.hidden", "8", "--arch.decoder.hidden", "16", "--data.batch-tokens", "100", "--train.max-steps", "2",
              "--train.schedule.warmup", "3", "--threads", "2", "--vectors.source", file, "--vectors.frozen", "source"};
  // clang-format on
  const Result trained = heed(train);
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("vectors for 3 of the"), std::string::npos) << trained.errors;
  EXPECT_NE(trained.errors.find("training ends, after 2 steps, within the warm-up of the learning rate"),
            std::string::npos);

  // Frozen: the trained model's source vectors are still the file's.
  const Result of_model = heed({"embeddings", "nearest", "--model", folder.path("model"), "one", "--count", "2"});
  EXPECT_EQ(of_model.code, 0) << of_model.errors;
  const Result of_file = heed({"embeddings", "nearest", "--vectors", file, "one", "--count", "2"});
  EXPECT_EQ(of_model.output, of_file.output);

  const std::string words = folder.path("model/source.words");
  folder.file("model/source.words", folder.read("model/source.words") + "four\n");
  EXPECT_TRUE(
      heed({"embeddings", "nearest", "--model", folder.path("model"), "one"}).errors.starts_with("heed: " + words));
}

TEST(Embeddings, AnAnalogyIsWhatIsToTheThirdAsTheSecondIsToTheFirst) {
  const Folder folder;
  const std::string file = folder.file("vectors", "5 2\na 1 0\nb 0 1\nc 1 1\nd 0 3\ne 3 0\n");
  const Result found = heed({"embeddings", "nearest", "--vectors", file, "--analogy", "a", "b", "c", "--count", "1"});
  EXPECT_TRUE(found.output.starts_with("c\td\t")) << found.output << found.errors;
}

TEST(Embeddings, SkipGramsVectorsInGlovesFormatBeginATarget) {
  const Folder folder;
  const std::string english = folder.file("en", repeated({"one two three", "two one"}, 20));
  const std::string german = folder.file("de", repeated({"drei zwei eins", "eins zwei"}, 20));
  const Result made = heed({"embeddings", "train", "--input", german, "--format", "glove", "--method", "skip-gram",
                            "--width", "16", "--epochs", "2", "--subsample", "0"});
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_EQ(lines_of(made.output).size(), 3u) << "a word a line, and no line of sizes";
  const std::string file = folder.file("de.glove", made.output);
  // clang-format off
  const Result trained =
      heed({"train", "--preset", "rnn-bahdanau", "--source", english, "--target", german, "--model",
            folder.path("model"), "--text.type", "words", "--text.joint", "false", "--arch.tied-embeddings", "none",
            "--arch.d-model", "16", "--arch.encoder.hidden", "8", "--arch.decoder.hidden", "16",
            "--data.batch-tokens", "100", "--train.max-steps", "4", "--train.schedule.warmup", "1", "--threads", "1",
            "--vectors.target", file, "--vectors.frozen", "target"});
  // clang-format on
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("vectors for 3 of the 3 tokens of the target vocabulary"), std::string::npos)
      << trained.errors;
  const Words nearest{"embeddings", "nearest", "eins", "--count", "2"};
  const auto of = [&](const std::string& option, const std::string& value, const std::string& side = "") {
    Words words = nearest;
    words.insert(words.end(), {option, value});
    if (!side.empty()) words.insert(words.end(), {"--side", side});
    return heed(words);
  };
  const Result of_model = of("--model", folder.path("model"), "target");
  EXPECT_EQ(of_model.code, 0) << of_model.errors;
  EXPECT_EQ(of_model.output, of("--vectors", file).output);
}

TEST(Embeddings, VectorsThatDoNotFitStopATrainingBeforeItBegins) {
  const Folder folder;
  const std::string text = folder.file("text", "a b\n"), file = folder.file("v", "a 1 2\n");
  const Words train{"train",    "--preset", "rnn-bahdanau", "--source",           text,
                    "--target", text,       "--model",      folder.path("model"), "--vectors.source"};
  const auto with = [&](const std::string& vectors) {
    Words words = train;
    words.push_back(vectors);
    return heed(words);
  };
  expect_error(with(file), 2, "`vectors.source` must have vectors as wide as arch.d-model (256), found 2");
  expect_error(with(folder.path("none")), 1, folder.path("none") + ": cannot open: No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(folder.path("model")));
}

TEST(Embeddings, WhatIsMissingIsNamed) {
  const Folder folder;
  const std::string file = folder.file("v", "a 1 2\n");
  expect_error(heed({"embeddings"}), 2,
               "`heed embeddings` needs a command: train or nearest; `heed embeddings --help` shows the first steps");
  expect_error(heed({"embeddings", "nearest", "--vectors", file}), 2, "name a word whose neighbors are wanted");
  expect_error(heed({"embeddings", "nearest", "a"}), 2, "one of `--vectors` and `--model` must be given");
  expect_error(heed({"embeddings", "nearest", "--vectors", file, "--model", file, "a"}), 2,
               "`--vectors` and `--model` cannot both be given");
  expect_error(heed({"embeddings", "nearest", "--vectors", file, "b"}), 1, "`b` has no vector");
  EXPECT_EQ(heed({"embeddings", "nearest", "--vectors", file, "a"}).errors,
            "heed: warning: `a` has no neighbors: no other word has a vector but of zeros\n");
  const std::string marked = folder.file("marked", "\u2581a 1 0\na 0 1\nb .1 1\nzero 0 0\n");
  EXPECT_EQ(heed({"embeddings", "nearest", "--vectors", marked, "a", "--count", "1"}).output, "a\tb\t0.9950\n");
  expect_error(heed({"embeddings", "nearest", "--vectors", marked, "zero"}), 1,
               "`zero` has a vector of zeros, which no other is near to");
  expect_error(heed({"embeddings", "nearest", "--vectors", file, "--analogy", "a"}), 2,
               "`--analogy` needs three words: what is to C as B is to A");
  expect_error(heed({"embeddings", "train", "--input", folder.path("none")}), 1,
               folder.path("none") + ": cannot open: No such file or directory");
}

}  // namespace
}  // namespace heed::end_to_end
