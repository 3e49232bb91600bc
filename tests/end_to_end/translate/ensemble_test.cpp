// Several models translate together.
#include <gtest/gtest.h>

#include <cstdlib>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

std::string stored(const std::string& file = "") {
  return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1/" + file;
}

class Ensemble : public testing::Test {
 protected:
  /// A model of one step, too little to know anything.
  Result train(const std::string& name, const Words& options) {
    Words command{"train",
                  "--source",
                  folder.file("en", "one two\nten nine\n"),
                  "--target",
                  folder.file("de", "zwei eins\nneun zehn\n"),
                  "--model",
                  folder.path(name),
                  "--arch.d-model",
                  "16",
                  "--arch.encoder.layers",
                  "1",
                  "--arch.decoder.layers",
                  "1",
                  "--train.max-steps",
                  "1",
                  "--train.schedule.warmup",
                  "1",
                  "--threads",
                  "1"};
    command.insert(command.end(), options.begin(), options.end());
    return heed(command);
  }
  Result translate(const Words& ensemble) const {
    Words command{"translate", "--model", stored(), "--threads", "1", "--ensemble"};
    command.insert(command.end(), ensemble.begin(), ensemble.end());
    return heed(command, input);
  }

  Folder folder;
  std::string input = read_file(stored("input.txt"));
  std::string expected = read_file(stored("expected.txt"));
};

TEST_F(Ensemble, OfAModelAndItselfTranslatesAsThatModel) {
  const Result result = translate({stored(), stored()});
  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(result.output, expected);
}

TEST_F(Ensemble, EachModelHasItsSay) {
  const Result trained =
      train("other", {"--text.tokenizers", "given", "--text.source-tokenizer", stored("source.words")});
  ASSERT_EQ(trained.code, 0) << trained.errors;
  const std::string other = folder.path("other");
  const Result most_know_nothing = translate({other, other, other, other});
  EXPECT_EQ(most_know_nothing.code, 0) << most_know_nothing.errors;
  EXPECT_EQ(lines_of(most_know_nothing.output).size(), lines_of(expected).size());
  EXPECT_NE(most_know_nothing.output, expected);
}

TEST_F(Ensemble, TheCheckpointIsThatOfTheFirstModel) {
  const Result trained =
      train("other", {"--text.tokenizers", "given", "--text.source-tokenizer", stored("source.words")});
  ASSERT_EQ(trained.code, 0) << trained.errors;
  const Result result = heed({"translate", "--model", folder.path("other"), "--checkpoint", "1", "--threads", "1",
                              "--ensemble", stored()},  // which has no checkpoints
                             input);
  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(lines_of(result.output).size(), lines_of(expected).size());
}

TEST_F(Ensemble, WeightsSayHowMuchEachModelCounts) {
  const Result trained =
      train("other", {"--text.tokenizers", "given", "--text.source-tokenizer", stored("source.words")});
  ASSERT_EQ(trained.code, 0) << trained.errors;
  const std::string other = folder.path("other");
  EXPECT_EQ(translate({other, "--ensemble-weights", "1", "1e-9"}).output, expected);
  EXPECT_NE(translate({other, "--ensemble-weights", "1e-9", "1"}).output, expected);
  expect_error(translate({other, "--ensemble-weights", "1", "2", "3"}), 2,
               "`--ensemble-weights` has 3 weights for 2 models; `--model` counts as the first");
  expect_error(translate({other, "--ensemble-weights", "1", "0"}), 2,
               "`--ensemble-weights` must be a list: each a number above 0, but is `1 0`");
}

TEST_F(Ensemble, NeedsTheSameVocabularies) {
  const Result trained = train("few", {"--text.type", "words"});
  ASSERT_EQ(trained.code, 0) << trained.errors;
  expect_error(translate({stored(), folder.path("few")}), 2,
               "`ensemble " + folder.path("few") +
                   "` must have the source vocabulary of the first model, but has 12 entries instead of 24; "
                   "train it with `text.tokenizers` = given and that model's tokenizer");
  expect_error(translate({folder.path("none")}), 1,
               folder.path("none") +
                   ": is not a model directory: it does not "
                   "exist");
}

}  // namespace
}  // namespace heed::end_to_end
