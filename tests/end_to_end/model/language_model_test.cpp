// Small language models and what users do with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <set>
#include <thread>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"

namespace heed::end_to_end {
namespace {

/// Lines that count on from a number word: "zwei drei vier".
std::string counting(int lines, int first) {
  const Words words{"eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"};
  std::string text;
  for (int i = 0; i < lines; ++i) {
    const size_t begin = static_cast<size_t>(i + first) % 6, length = 2 + static_cast<size_t>(i * 7 + first) % 3;
    for (size_t k = begin; k < std::min(begin + length, words.size()); ++k) text += (k > begin ? " " : "") + words[k];
    text += '\n';
  }
  return text;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

class LanguageModel : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new Folder;
    folder->file("train.de", counting(600, 0));
    folder->file("dev.de", counting(60, 1));
    trained = heed(train_command("lm"));
    continuous = heed(text_command("lm-text"));
  }
  static void TearDownTestSuite() { delete folder; }

  static Words train_command(const std::string& model) {
    // clang-format off
    return {"train", "--task", "language-model", "--target", folder->path("train.de"), "--valid-target",
            folder->path("dev.de"), "--model", folder->path(model), "--text.type", "words", "--arch.d-model", "32",
            "--arch.decoder.layers", "1", "--arch.decoder.heads", "2", "--arch.decoder.feed-forward.hidden", "64",
            "--arch.dropout", "0", "--data.batch-tokens", "300", "--train.max-steps", "120",
            "--train.schedule.warmup", "10", "--train.schedule.learning-rate", "0.01", "--valid.every", "40",
            "--log.every", "10", "--threads", "1"};
    // clang-format on
  }
  /// A recurrent one that reads its text as one.
  static Words text_command(const std::string& model) {
    // clang-format off
    return {"train", "--preset", "lm-lstm", "--target", folder->path("train.de"), "--valid-target",
            folder->path("dev.de"), "--model", folder->path(model), "--text.type", "words", "--arch.d-model", "32",
            "--arch.decoder.hidden", "32", "--data.context", "text", "--data.batch-size", "8", "--data.bptt-length", "10",
            "--train.max-steps", "120", "--train.schedule.warmup", "10", "--train.schedule.learning-rate", "0.01",
            "--valid.every", "40", "--log.every", "10", "--threads", "2"};
    // clang-format on
  }
  static Words with(const std::string& command, const std::string& model) {
    return {command, "--model", folder->path(model), "--threads", "1"};
  }

  static Folder* folder;
  static Result trained, continuous;
};
Folder* LanguageModel::folder = nullptr;
Result LanguageModel::trained;
Result LanguageModel::continuous;

double perplexity_in(const std::string& summary) {
  return std::stod(summary.substr(summary.rfind("perplexity ") + 11));
}

TEST_F(LanguageModel, ItsEmbeddingsAreThoseOfTheTarget) {
  const Result near = heed({"embeddings", "nearest", "--model", folder->path("lm"), "zwei", "--count", "1"});
  EXPECT_EQ(near.code, 0) << near.errors;
  EXPECT_EQ(near.output.substr(0, 5), "zwei\t");
}

TEST_F(LanguageModel, NamesThePromptThatIsTooLong) {
  const Words train{"train",
                    "--task",
                    "language-model",
                    "--target",
                    folder->path("train.de"),
                    "--valid-target",
                    folder->path("dev.de"),
                    "--model",
                    folder->path("short"),
                    "--text.type",
                    "words",
                    "--arch.d-model",
                    "32",
                    "--arch.decoder.layers",
                    "1",
                    "--arch.decoder.heads",
                    "2",
                    "--arch.decoder.feed-forward.hidden",
                    "64",
                    "--arch.decoder.positions",
                    "learned",
                    "--arch.decoder.max-length",
                    "6",
                    "--data.max-target-length",
                    "5",
                    "--train.max-steps",
                    "1",
                    "--threads",
                    "1"};
  const Result short_model = heed(train);
  ASSERT_EQ(short_model.code, 0) << short_model.errors;
  const std::string fits = folder->file("fits", "eins\nzwei\n"), words = "eins zwei drei vier eins zwei drei";
  const std::string longer = folder->file("longer", "drei\n" + words + "\n");
  const std::string message = "the model has positions for at most 6 target tokens, but the line needs 8";
  expect_error(heed(with("generate", "short") + Words{"--input", fits, longer}), 1, longer + ":2: " + message);
  expect_error(heed(with("generate", "short") + Words{"--prompt", "eins", words}), 1, "prompt 2: " + message);
}

TEST_F(LanguageModel, WhatIsDrawnIsAnotherInEachBlockOfPrompts) {
  constexpr size_t kBlock = 1024;
  const Result made = heed(with("generate", "lm") + Words{"--max-length", "4"}, std::string(2 * kBlock, '\n'));
  ASSERT_EQ(made.code, 0) << made.errors;
  const Words lines = lines_of(made.output);
  ASSERT_EQ(lines.size(), 2 * kBlock);
  EXPECT_FALSE(std::equal(lines.begin(), lines.begin() + kBlock, lines.begin() + kBlock));
}

TEST_F(LanguageModel, TrainsAndScoresText) {
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("heed generate --model " + folder->path("lm")), std::string::npos) << trained.errors;
  const std::string text = folder->read("dev.de");
  const Result scored = heed(with("score", "lm"), text);
  ASSERT_EQ(scored.code, 0) << scored.errors;
  const Words lines = lines_of(scored.output);
  ASSERT_EQ(lines.size(), 60u);
  double sum = 0;
  for (const std::string& line : lines) sum += std::stod(line);
  const auto tokens = static_cast<double>(std::ranges::count(text, ' ')) + 2 * 60;  // the last words and the ends
  EXPECT_NEAR(perplexity_in(scored.errors), std::exp(-sum / tokens), 1e-3);
  EXPECT_LT(perplexity_in(scored.errors), 2.5) << "where a line begins and how long it is cannot be known";
  EXPECT_TRUE(scored.errors.starts_with("heed: 60 lines, ")) << scored.errors;
  EXPECT_EQ(heed(with("score", "lm") + Words{"--target", folder->path("dev.de")}).output, scored.output);
}

/// It reads translations, not what they translate.
TEST_F(LanguageModel, ReranksWithoutASource) {
  const std::string weights = folder->file("lm.json", R"({"features": [{"kind": "language-model", "model": ")" +
                                                          folder->path("lm") + R"(", "weight": 1}]})");
  const Result chosen = heed({"rerank", "--weights", weights, "--threads", "1"},
                             "0 ||| vier zwei sechs ||| 0\n0 ||| zwei drei vier ||| -1\n");
  EXPECT_EQ(chosen.output, "zwei drei vier\n") << chosen.errors;
}

TEST_F(LanguageModel, CompletesPrompts) {
  const Result greedy = heed(with("generate", "lm") + Words{"--method", "greedy"}, "zwei\n\ndrei vier\n");
  ASSERT_EQ(greedy.code, 0) << greedy.errors;
  EXPECT_EQ(greedy.errors, "");
  const Words lines = lines_of(greedy.output);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].starts_with("zwei drei")) << lines[0];
  EXPECT_TRUE(lines[2].starts_with("drei vier")) << lines[2];
  const Words draw = with("generate", "lm") + Words{"--prompt", "", "--samples", "40"};
  const Result drawn = heed(draw + Words{"--seed", "3"});
  const Words texts = lines_of(drawn.output);
  ASSERT_EQ(texts.size(), 40u);
  EXPECT_GT(std::set(texts.begin(), texts.end()).size(), 5u);
  EXPECT_EQ(heed(draw + Words{"--seed", "3", "--batch-sentences", "7"}).output, drawn.output);
  EXPECT_NE(heed(draw).output, drawn.output);
  const Result scores =
      heed(with("generate", "lm") + Words{"--prompt", "eins", "--scores", "--output", folder->path("o")});
  EXPECT_EQ(scores.code, 0) << scores.errors;
  EXPECT_LE(std::stod(folder->read("o")), 0);
  EXPECT_NE(folder->read("o").find("\teins"), std::string::npos);
}

TEST_F(LanguageModel, DrawsAsItsOptionsSay) {
  const Words prompts{"--prompt", "zwei", "drei vier", ""};
  const auto drawn = [&](const Words& options) {
    const Result made = heed(with("generate", "lm") + prompts + options);
    EXPECT_EQ(made.code, 0) << made.errors;
    return made.output;
  };
  const std::string likeliest = drawn({"--method", "greedy"});
  EXPECT_EQ(drawn({"--temperature", "3", "--top-k", "1"}), likeliest);
  EXPECT_EQ(drawn({"--temperature", "3", "--top-p", "1e-6"}), likeliest);
  EXPECT_EQ(drawn({"--temperature", "0.01"}), likeliest);
  const auto different = [&](const Words& options) {
    const Words lines = lines_of(drawn(Words{"--samples", "40"} + options));
    EXPECT_EQ(lines.size(), 120u);
    return std::set(lines.begin(), lines.end()).size();
  };
  const size_t hot = different({"--temperature", "3"});
  EXPECT_LT(different({}), hot);
  EXPECT_LT(different({"--temperature", "3", "--top-k", "2"}), hot);
  EXPECT_LT(different({"--temperature", "3", "--top-p", "0.3"}), hot);
}

TEST_F(LanguageModel, WrongUsesAreOneSentence) {
  expect_error(heed(with("translate", "lm"), "eins\n"), 2,
               "`model` " + folder->path("lm") +
                   " is a language model, which has no source: `heed generate` completes text with it, `heed score` "
                   "computes how probable text is");
  expect_error(heed(with("align", "lm") + Words{"--pairs", "-"}, "a\tb\n"), 2,
               "this model is a language model: it has no source to align with");
  expect_error(heed(with("score", "lm") + Words{"--source", folder->path("dev.de")}), 2,
               "`source` has no effect on a language model: name its text with `target`");
  expect_error(heed(with("score", "lm-text") + Words{"--context", "text", "--workers", "2"}, "eins\n"), 2,
               "`--workers` has no effect with `--context text`, whose lines are scored one after the other");
  expect_error(heed(with("score", "lm") + Words{"--target", ""}), 2, "`target` names a file by an empty text");
  const std::string bad = folder->file("bad.de", repeated("eins\n", 1100) + "\xff\n");
  const Result refused = heed(with("generate", "lm") + Words{"--max-length", "1", "--input", bad});
  EXPECT_EQ(refused.output, "") << "no text is made in vain";
  EXPECT_TRUE(refused.errors.starts_with("heed: " + bad + ":1101: ")) << refused.errors;
  expect_error(heed(with("score", "lm") + Words{"--context", "text"}, "eins\n"), 2,
               "`context` must be sentence, except for a language model with a recurrent decoder that has no memory "
               "tape");
  expect_error(heed(with("generate", "lm") + Words{"--prompt", "a\nb"}), 2,
               "`--prompt` must be one line each, but has a line break at its byte 2");
  expect_error(heed(with("generate", "lm") + Words{"--prompt", "eins\xff"}), 2,
               "`--prompt` must be UTF-8 text, but has the byte 0xFF at its byte 5");
  const Result replaced = heed(with("generate", "lm") + Words{"--prompt", "eins \xff", "--invalid-text", "replace"});
  EXPECT_TRUE(replaced.output.starts_with("eins \uFFFD")) << replaced.output << replaced.errors;
  const std::string text = folder->path("dev.de");
  expect_error(heed(with("generate", "lm") + Words{"--input", text, "--output", text}), 2,
               "`--output` must be another file than `" + text + "`, which is read");
  expect_error(heed(with("generate", "lm") + Words{"--prompt", "a", "--input", "-"}), 2,
               "`--prompt` and `--input` cannot both be given");
  expect_error(heed(with("generate", "lm") + Words{"--method", "greedy", "--top-k", "3"}), 2,
               "`--top-k` applies only when `method` is `sample`, but it is `greedy`");
  expect_error(heed({"train", "--task", "language-model", "--model", folder->path("new")}), 2,
               "`target` is missing: the text of the language model");
}

TEST_F(LanguageModel, OfAContinuousTextGoesOnWhereItWasInterrupted) {
  ASSERT_EQ(continuous.code, 0) << continuous.errors;
  Program program(text_command("stopped"));
  const auto has_begun = [&] { return program.errors_so_far().find("step 50:") != std::string::npos; };
  while (program.running() && !has_begun()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.signal(SIGINT);
  const Result stopped = program.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.errors;
  const Result resumed = heed(text_command("stopped"));
  ASSERT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_EQ(folder->read("stopped/model.safetensors"), folder->read("lm-text/model.safetensors"));
}

TEST_F(LanguageModel, OfAContinuousTextIsScoredAsInValidation) {
  const Words score = with("score", "lm-text") + Words{"--checkpoint", "120", "--context", "text"};
  const Result text = heed(score, folder->read("dev.de"));
  EXPECT_EQ(text.code, 0) << text.errors;
  EXPECT_EQ(lines_of(text.output).size(), 60u);
  EXPECT_LT(perplexity_in(text.errors), 2.7);
  EXPECT_NEAR(perplexity_in(text.errors), last_validation(*folder, "lm-text")["perplexity"].get<double>(), 1e-4);
  const Result with_blanks = heed(score, "\n" + folder->read("dev.de") + " \n");
  EXPECT_EQ(with_blanks.output, "0.000000\n" + text.output + "0.000000\n");
}

TEST_F(LanguageModel, HasASayInTranslation) {
  const std::string text = folder->path("train.de");
  const Words common{"--target",          text, "--text.tokenizers",       "given", "--arch.d-model", "16",
                     "--train.max-steps", "2",  "--train.schedule.warmup", "1",     "--threads",      "1"};
  const std::string tokenizer = folder->path("lm/target.words");
  const Result translation =
      heed(Words{"train", "--source", text, "--model", folder->path("tm"), "--text.source-tokenizer", tokenizer,
                 "--arch.encoder.layers", "1", "--arch.decoder.layers", "1"} +
           common);
  ASSERT_EQ(translation.code, 0) << translation.errors;
  const std::string input = "eins zwei\ndrei\n\n";
  const Result alone = heed(with("translate", "tm"), input);
  const Words fuse = with("translate", "tm") + Words{"--language-model", folder->path("lm")};
  const Result fused = heed(fuse + Words{"--language-model-weight", "5"}, input);
  ASSERT_EQ(fused.code, 0) << fused.errors;
  EXPECT_EQ(lines_of(fused.output).size(), 3u);
  EXPECT_NE(fused.output, alone.output);
  EXPECT_EQ(heed(fuse + Words{"--language-model-weight", "1e-9"}, input).output, alone.output);
  expect_error(heed(fuse + Words{"--language-model-weight", "0"}, input), 2,
               "`--language-model-weight` must be a number above 0, but is `0`");
  expect_error(heed(with("translate", "tm") + Words{"--language-model-weight", "1"}, input), 2,
               "`--language-model-weight` has no effect without `--language-model`");
  expect_error(
      heed(with("translate", "tm") + Words{"--language-model", folder->path("tm")}, input), 2,
      "`language-model` " + folder->path("tm") + " is a translation model: `heed translate` translates text with it");
  expect_error(heed(with("translate", "tm") + Words{"--ensemble", folder->path("lm")}, input), 2,
               "`ensemble` " + folder->path("lm") +
                   " is a language model, which has no source: `heed generate` completes text with it, `heed score` "
                   "computes how probable text is");
  expect_error(heed(with("generate", "tm"), input), 2,
               "`model` " + folder->path("tm") + " is a translation model: `heed translate` translates text with it");

  const Result given = heed(Words{"train", "--task", "language-model", "--model", folder->path("lm-given"),
                                  "--text.target-tokenizer", tokenizer, "--arch.decoder.layers", "1"} +
                            common);
  ASSERT_EQ(given.code, 0) << given.errors;
  const Result same = heed(with("translate", "tm") + Words{"--language-model", folder->path("lm-given")}, input);
  EXPECT_EQ(same.code, 0) << same.errors;
  const Result other = heed(Words{"train", "--task", "language-model", "--model", folder->path("lm-other"), "--target",
                                  folder->file("few", "eins\nzwei\n"), "--text.type", "words", "--train.max-steps", "2",
                                  "--train.schedule.warmup", "1", "--arch.decoder.layers", "1", "--threads", "1"});
  ASSERT_EQ(other.code, 0) << other.errors;
  expect_error(heed(with("translate", "tm") + Words{"--language-model", folder->path("lm-other")}, input), 2,
               "`language-model` must have the target vocabulary of the first model, but has 6 entries instead "
               "of 12; train it with `text.tokenizers` = given and that model's tokenizer");
}

}  // namespace
}  // namespace heed::end_to_end
