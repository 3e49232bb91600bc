// Other models choose from n-best lists.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

/// A model that translates numbers.
std::string stored_model(const std::string& file = "") {
  return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1" + file;
}

class Rerank : public testing::Test {
 protected:
  static Result rerank(const Words& options, const std::string& input = "") {
    Words command{"rerank"};
    command.insert(command.end(), options.begin(), options.end());
    return heed(command, input);
  }

  Folder folder;
  std::string source = folder.file("source", "one two three\n\nfour five\n");
  std::string reference = folder.file("reference", "eins zwei drei\n\nvier fünf\n");
  /// The right translation is neither first nor the longest.
  std::string list = folder.file("list",
                                 "0 ||| eins zwei ||| -0.1\n0 ||| eins zwei drei ||| -0.3\n"
                                 "0 ||| eins zwei drei drei sechs ||| -0.2\n"
                                 "1 |||  ||| 0\n"
                                 "2 ||| neun fünf vier ||| -0.1\n2 ||| vier fünf ||| -0.5\n");
};

TEST_F(Rerank, AModelOfTheSameDirectionFindsTheRightOnes) {
  const std::string weights = folder.path("weights.json");
  const std::string references = folder.file("refs", read_file(stored_model("/expected.txt")));
  // The list of what the model translates itself, the worst first and without their scores.
  const Result lists = heed({"translate", "--model", stored_model(), "--search.n-best", "3", "--threads", "1"},
                            read_file(stored_model("/input.txt")));
  std::map<std::string, std::string> worst_first;
  for (const std::string& line : lines_of(lists.output)) {
    std::string& of_line = worst_first[line.substr(0, line.find(' '))];
    of_line = line.substr(0, line.rfind("||| ")) + "||| 0\n" + of_line;
  }
  std::string wrong;
  for (size_t line = 0; line < worst_first.size(); ++line) wrong += worst_first.at(std::to_string(line));
  const std::string all = folder.file("all", wrong);
  const Result tuned = rerank({"--input", all, "--source", stored_model("/input.txt"), "--reference", references,
                               "--weights", weights, "--tokenize", "none", "--forward", stored_model()});
  ASSERT_EQ(tuned.code, 0) << tuned.errors;
  EXPECT_EQ(tuned.output, "");
  EXPECT_NE(tuned.errors.find("with the weights in " + weights), std::string::npos) << tuned.errors;
  const Result chosen = rerank({"--input", all, "--source", stored_model("/input.txt"), "--weights", weights});
  EXPECT_EQ(chosen.code, 0) << chosen.errors;
  EXPECT_EQ(chosen.output, read_file(stored_model("/expected.txt")));
}

/// Each kind of model scores the pair that it is to score, and a token's mean log-probability counts.
TEST_F(Rerank, ModelsReadWhatTheirKindSays) {
  const auto chosen = [&](const std::string& kind, const std::string& line, const Words& candidates) {
    const std::string text = folder.file("line", line + "\n");
    std::string lists;
    for (const std::string& candidate : candidates) lists += "0 ||| " + candidate + " ||| 0\n";
    const std::string weights = folder.file(
        "w.json", R"({"features": [{"kind": ")" + kind + R"(", "model": ")" + stored_model() + R"(", "weight": 1}]})");
    const Result result = rerank({"--source", text, "--weights", weights, "--n-best", "--threads", "1"}, lists);
    EXPECT_EQ(result.code, 0) << result.errors;
    return lines_of(result.output).at(0);
  };
  const auto score = [&](const std::string& line, const std::string& translation, double tokens) {
    const Result scored = heed({"score", "--model", stored_model(), "--source", folder.file("s", line + "\n"),
                                "--target", folder.file("t", translation + "\n"), "--threads", "1"});
    return std::stod(scored.output) / tokens;
  };
  const auto expect = [&](const std::string& found, const std::string& text, double expected) {
    EXPECT_TRUE(found.starts_with("0 ||| " + text + " ||| ")) << found;
    EXPECT_NEAR(std::stod(found.substr(found.rfind(' '))), expected, 2e-6) << found;
  };
  // The model writes "eins sieben" for "seven one": two words and the end of the sentence.
  const double right = score("seven one", "eins sieben", 3);
  expect(chosen("forward", "seven one", {"sieben eins", "eins sieben", "eins"}), "eins sieben", right);
  expect(chosen("right-to-left", "seven one", {"eins sieben", "sieben eins", "eins"}), "sieben eins", right);
  expect(chosen("reverse", "eins sieben", {"one seven", "seven one", "one"}), "seven one", right);
}

TEST_F(Rerank, WritesWhatTheWeightsSay) {
  const std::string weights =
      folder.file("w.json", R"({"features": [{"kind": "list", "weight": 1}, {"kind": "length", "weight": 0.1}]})");
  const Result best = rerank({"--weights", weights}, read_file(list));
  EXPECT_EQ(best.code, 0) << best.errors;
  EXPECT_EQ(best.output, "eins zwei\n\nneun fünf vier\n");
  const Result all = rerank({"--weights", weights, "--input", list, "--n-best"});
  // Mean lengths: of 9, 14 and 25 characters 16, of 14 and 9 11.5.
  EXPECT_EQ(all.output,
            "0 ||| eins zwei ||| -0.043750\n0 ||| eins zwei drei drei sechs ||| -0.043750\n"
            "0 ||| eins zwei drei ||| -0.212500\n1 |||  ||| 0.100000\n"
            "2 ||| neun fünf vier ||| 0.021739\n2 ||| vier fünf ||| -0.421739\n");
}

TEST_F(Rerank, TheOracleIsClosestToTheReference) {
  const Result oracle = rerank({"--input", list, "--reference", reference, "--oracle", "--metric", "chrf"});
  EXPECT_EQ(oracle.code, 0);
  EXPECT_EQ(oracle.output, read_file(reference));
  EXPECT_EQ(oracle.errors, "heed: chrF2 of the translations closest to the references: 100.00\n");
  // BLEU of a line of two words has no n-grams of three and four: their orders do not count.
  const Result by_bleu = rerank({"--input", list, "--reference", reference, "--oracle"});
  EXPECT_EQ(by_bleu.output, read_file(reference)) << by_bleu.errors;
}

TEST_F(Rerank, RefusesWhatDoesNotGoTogether) {
  const std::string weights = folder.file("w.json", R"({"features": [{"kind": "list", "weight": 1}]})");
  expect_error(rerank({"--input", list}), 2,
               "`--weights` is missing: name the file that `heed rerank --reference` wrote");
  expect_error(rerank({"--input", list, "--weights", weights, "--reverse", stored_model()}), 2,
               "`--reverse` has no effect without `reference`: the file of weights names its models");
  for (const std::string& input : {list, reference}) {
    const Result same = rerank({"--input", list, "--reference", reference, "--weights", input});
    EXPECT_EQ(same.code, 2);
    EXPECT_TRUE(same.errors.starts_with("heed: `--weights` ")) << same.errors;
  }
  expect_error(rerank({"--input", list, "--oracle"}), 2, "`--oracle` needs `reference`");
  expect_error(rerank({"--input", list, "--reference", reference, "--weights", folder.path("new.json"), "--forward",
                       stored_model()}),
               2, "`--source` is missing: models are to read it");
  expect_error(
      rerank({"--input", list, "--reference", reference, "--weights", folder.path("new.json"), "--source", source,
              "--language-model", stored_model()}),
      2, "`language-model` " + stored_model() + " is a translation model: `heed translate` translates text with it");
  EXPECT_FALSE(std::filesystem::exists(folder.path("new.json")));
}

TEST_F(Rerank, BytesThatAreNoTextAreAnErrorOrReplaced) {
  const std::string weights = folder.file("w.json", R"({"features": [{"kind": "list", "weight": 1}]})");
  const std::string bytes = folder.file("bytes", "0 ||| eins \xFF ||| 0\n");
  EXPECT_EQ(rerank({"--input", bytes, "--weights", weights}).code, 1);
  const Result replaced = rerank({"--input", bytes, "--weights", weights, "--invalid-text", "replace"});
  EXPECT_EQ(replaced.output, "eins \uFFFD\n") << replaced.errors;
}

TEST_F(Rerank, FilesMustFitTogether) {
  const std::string few = folder.file("few", "one\n"), many = folder.file("many", "one\n\n\n\n");
  const std::string weights = folder.file("w.json", R"({"features": [{"kind": "list", "weight": 1}]})");
  const std::string output = folder.path("out");
  const Words command{"--input", list, "--weights", weights, "--output", output, "--source"};
  const auto with = [&](const std::string& file) {
    Words words = command;
    words.push_back(file);
    return rerank(words);
  };
  expect_error(with(few), 1, few + ": has 1 line, but " + list + " has translations of more lines");
  expect_error(rerank({"--input", list, "--oracle", "--reference", few}), 1,
               few + ": has 1 line, but " + list + " has translations of more lines");
  expect_error(with(many), 1, list + ": ends with the translations of 3 lines, but " + many + " has more");
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_EQ(with(source).code, 0);
  EXPECT_EQ(folder.read("out"), "eins zwei\n\nneun fünf vier\n");
}

}  // namespace
}  // namespace heed::end_to_end
