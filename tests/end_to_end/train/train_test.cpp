// One small training and what users do with the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

const Words kEnglish{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
const Words kGerman{"eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"};

/// Sentences of 1 to 6 number words and the same in German, in reverse order.
void write_corpus(const Folder& folder, const std::string& name, int first, int count) {
  std::string source, target;
  uint64_t state = 88172645463325252ULL + static_cast<uint64_t>(first) * 7919;
  for (int i = 0; i < count; ++i) {
    std::string english, german;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const uint64_t length = 1 + (state >> 33) % 6;
    for (uint64_t k = 0; k < length; ++k) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      const size_t word = (state >> 33) % kEnglish.size();
      english += (k ? " " : "") + kEnglish[word];
      german = kGerman[word] + (k ? " " : "") + german;
    }
    source += english + '\n';
    target += german + '\n';
  }
  folder.file(name + ".en", source);
  folder.file(name + ".de", target);
}

class Training : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new Folder;
    write_corpus(*folder, "train", 0, 2000);
    write_corpus(*folder, "dev", 1, 50);
    write_corpus(*folder, "test", 2, 50);
    trained = heed(train_command("model"));
  }
  static void TearDownTestSuite() { delete folder; }

  static Words data() {
    return {"--source",       folder->path("train.en"), "--target",       folder->path("train.de"),
            "--valid-source", folder->path("dev.en"),   "--valid-target", folder->path("dev.de")};
  }
  static Words train_command(const std::string& model, const std::string& steps = "400") {
    // clang-format off
    return Words{"train"} + data() +
           Words{"--model", folder->path(model), "--text.type", "words", "--arch.d-model", "64",
                 "--arch.encoder.layers", "1", "--arch.decoder.layers", "1",
                 "--arch.encoder.feed-forward.hidden", "128", "--arch.decoder.feed-forward.hidden", "128",
                 "--arch.dropout", "0", "--train.schedule.warmup", "50",
                 "--train.max-steps", steps, "--valid.every", "100", "--log.every", "50", "--data.batch-tokens",
                 "400", "--threads", "1"};
    // clang-format on
  }
  static void wait_for_update_50(Program& program) {
    const auto has_begun = [&] { return program.errors_so_far().find("step 50:") != std::string::npos; };
    while (program.running() && !has_begun()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  static Words translate_command() { return {"translate", "--model", folder->path("model"), "--threads", "1"}; }

  static Folder* folder;
  static Result trained;
};
Folder* Training::folder = nullptr;
Result Training::trained;

TEST_F(Training, TrainsTranslatesScoresAndEvaluates) {
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_EQ(trained.output, "");
  EXPECT_NE(trained.errors.find("heed translate --model " + folder->path("model")), std::string::npos)
      << trained.errors;

  const Result translated = heed(translate_command(), folder->read("test.en"));
  ASSERT_EQ(translated.code, 0) << translated.errors;
  EXPECT_EQ(translated.errors, "");
  const std::string output = folder->file("out.de", translated.output);
  const Result bleu = heed({"evaluate", "--reference", folder->path("test.de"), "--tokenize", "none", output});
  ASSERT_EQ(bleu.code, 0) << bleu.errors;
  const double score = std::stod(bleu.output.substr(bleu.output.find(" = ") + 3));
  EXPECT_GT(score, 70) << bleu.output << translated.output;

  const Result scored = heed({"score", "--model", folder->path("model"), "--source", folder->path("test.en"),
                              "--target", folder->path("test.de"), "--threads", "1"});
  ASSERT_EQ(scored.code, 0) << scored.errors;
  const Words scores = lines_of(scored.output);
  ASSERT_EQ(scores.size(), 50u);
  for (const std::string& line : scores) EXPECT_LE(std::stod(line), 0);
  EXPECT_TRUE(scored.errors.starts_with("heed: 50 pairs, ")) << scored.errors;
}

TEST_F(Training, TheSameCommandAgainFindsNothingToDo) {
  const std::string model = folder->read("model/model.safetensors");
  const Result again = heed(train_command("model"));
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(again.errors.find("step 50:"), std::string::npos) << again.errors;
  EXPECT_EQ(folder->read("model/model.safetensors"), model);
}

TEST_F(Training, OtherOptionsForAnOldModelAreRefused) {
  const Result result = heed(train_command("model") + Words{"--seed", "2"});
  expect_error(result, 2,
               folder->path("model") +
                   ": the training there began with other options that must stay: `seed` (was 1, is 2: the first "
                   "parameters came from it, and the order of the text does); leave them out, or use another directory "
                   "for a new training");
}

TEST_F(Training, WhatWasRefusedBeforeAnythingWasTrainedMayBeginAnewWithOtherOptions) {
  const Result refused =
      heed(Words{"train"} + data() + Words{"--model", folder->path("anew"), "--text.vocab-size", "7"});
  EXPECT_EQ(refused.code, 2) << refused.errors;
  const Result begun = heed(train_command("anew", "1") + Words{"--seed", "3"});
  EXPECT_EQ(begun.code, 0) << begun.errors;
}

TEST_F(Training, AnInterruptedRunGoesOnToTheSameModel) {
  Program program(train_command("stopped"));
  wait_for_update_50(program);
  program.signal(SIGINT);
  const Result stopped = program.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.errors;
  EXPECT_EQ(stopped.output, "");
  const std::string log =
      stopped.errors.substr(std::min(stopped.errors.size(), stopped.errors.rfind("heed: saved after step ")));
  EXPECT_NE(log.find(" steps); the same command resumes from here\n"), std::string::npos) << stopped.errors;
  EXPECT_NE(log.find("/stopped can be used already, but is not trained to the end\n"), std::string::npos) << log;
  const Result resumed = heed(train_command("stopped"));
  ASSERT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_NE(resumed.errors.find("resuming after step"), std::string::npos) << resumed.errors;
  EXPECT_EQ(folder->read("stopped/model.safetensors"), folder->read("model/model.safetensors"));
}

TEST_F(Training, SavesWhenStoppedWhileOtherThreadsMayTakeTheSignal) {
  Words command = train_command("wide", "20000");
  *std::find(command.begin(), command.end(), "64") = "256";  // so wide that tensors of a new model start threads
  Program program(command, "", "", {.environment = {{"OMP_NUM_THREADS", "2"}}});
  wait_for_update_50(program);
  program.signal(SIGTERM);
  const Result stopped = program.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.errors;
  EXPECT_NE(stopped.errors.find("saved"), std::string::npos) << stopped.errors;
}

TEST_F(Training, AsManyLinesOutAsIn) {
  std::string overlong;
  for (int i = 0; i < 400; ++i) overlong += kEnglish[static_cast<size_t>(i) % 10] + ' ';
  const std::string separators =
      "one\xe2\x80\xa8two\x0bthree\x0c"
      "four\xc2\x85";
  const std::string input = "\none two\r\n" + separators + "\n   \n" + overlong + "\nunseen words here\nno end of line";
  const Result result = heed(translate_command(), input);
  ASSERT_EQ(result.code, 0) << result.errors;
  const Words lines = lines_of(result.output);
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0], "");
  EXPECT_NE(lines[1], "");
  EXPECT_NE(lines[2], "");
  EXPECT_EQ(lines[3], "");
  EXPECT_NE(lines[4], "");
  EXPECT_TRUE(result.output.ends_with('\n'));
  EXPECT_NE(result.errors.find("heed: warning: "), std::string::npos) << "an over-long line is worth a warning";
  EXPECT_EQ(heed(translate_command(), "").output, "");
  for (const std::string precision : {"bf16", "int8"}) {
    const Result narrow = heed(translate_command() + Words{"--precision", precision}, input);
    EXPECT_EQ(narrow.code, 0) << narrow.errors;
    EXPECT_EQ(lines_of(narrow.output).size(), 7u) << precision;
  }
}

TEST_F(Training, TheProgramWithoutTensorsTranslatesByItself) {
  const std::string alone = folder->path("alone");  // beside no heed-torch
  std::filesystem::copy_file(heed_path(), alone);
  const auto run = [&](const std::string& options) {
    const std::string command = "PATH= " + alone + " translate --model " + folder->path("model") + " --input " +
                                folder->path("test.en") + options + " --output " + folder->path("alone.de");
    return std::system(command.c_str());
  };
  ASSERT_EQ(run(""), 0);
  EXPECT_EQ(folder->read("alone.de"), heed(translate_command(), folder->read("test.en")).output);
  EXPECT_NE(run(" --checkpoint last"), 0) << "which takes tensors";
  EXPECT_NE(run(" --device cuda"), 0) << "which takes tensors";
}

TEST_F(Training, ScoresTellWhatNarrowProductsChange) {
  const Words command{"score",
                      "--model",
                      folder->path("model"),
                      "--source",
                      folder->path("test.en"),
                      "--target",
                      folder->path("test.de"),
                      "--threads",
                      "1"};
  const auto scores = [&](const Words& options) {
    const Result result = heed(command + options);
    EXPECT_EQ(result.code, 0) << result.errors;
    return lines_of(result.output);
  };
  const Words plain = scores({}), narrow = scores({"--precision", "int8"});
  ASSERT_EQ(narrow.size(), plain.size());
  EXPECT_NE(narrow, plain);
  for (size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(std::stod(narrow[i]), std::stod(plain[i]), 0.5) << i;
  const Words chosen = scores({"--precision", "auto"});
  EXPECT_TRUE(chosen == plain || chosen == narrow || chosen == scores({"--precision", "bf16"}));
}

TEST_F(Training, NarrowProductsAreOfOneTransformerOnACpu) {
  const std::string model = folder->path("model");
  expect_error(heed(translate_command() + Words{"--precision", "int8", "--ensemble", model}), 2,
               "`--precision` other than fp32 does not go with `--ensemble`");
  EXPECT_EQ(heed(translate_command() + Words{"--precision", "auto", "--ensemble", model}).code, 0) << "as it can";
  expect_error(heed(translate_command() + Words{"--precision", "half"}), 2,
               "`--precision` must be one of fp32, bf16, int8, auto, but is `half`");
}

TEST_F(Training, TranslationsDoNotDependOnHowTheyAreMade) {
  const std::string input = folder->read("test.en");
  const auto output_of = [&](const Words& options) {
    const Result result = heed(translate_command() + options, input);
    EXPECT_EQ(result.code, 0) << result.errors;
    return result.output;
  };
  const std::string plain = output_of({});
  EXPECT_EQ(lines_of(plain).size(), 50u);
  EXPECT_EQ(output_of({"--search.batch-sentences", "1"}), plain);
  EXPECT_EQ(output_of({"--search.buffer-lines", "1"}), plain);
  EXPECT_EQ(output_of({"--input", folder->path("test.en"), "--output", folder->path("o")}), "");
  EXPECT_EQ(folder->read("o"), plain);
  output_of({"--checkpoint", "400"});
}

TEST_F(Training, NothingIsTranslatedThatCannotBeWritten) {
  std::filesystem::create_directory(folder->path("directory"));
  expect_error(heed(translate_command() + Words{"--output", folder->path("directory")}, "one\n"), 1,
               folder->path("directory") + ": cannot write: Is a directory");
}

TEST_F(Training, ABadLineIsNamedBeforeAnythingIsTranslated) {
  const std::string invalid = folder->file("late", "one\ntwo\nthree\nfour \xff\n");
  const Result result = heed(translate_command() + Words{"--input", invalid, "--search.buffer-lines", "1"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find(invalid + ":4: expected UTF-8 text"), std::string::npos) << result.errors;
}

TEST_F(Training, AnswersLineByLineToAProgramThatWaits) {
  const std::string pipe = folder->path("questions");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Program program(translate_command() + Words{"--input", pipe, "--search.buffer-lines", "1"}, "",
                  folder->path("answers"));
  std::ofstream questions(pipe);
  for (size_t line = 1; line <= 3; ++line) {
    questions << "one two" << std::endl;
    const auto answered = [&] { return lines_of(folder->read("answers")).size() == line; };
    for (int wait = 0; wait < 6000 && program.running() && !answered(); ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(answered()) << line << program.errors_so_far();
  }
  questions.close();
  EXPECT_EQ(program.wait().code, 0);
  EXPECT_EQ(lines_of(folder->read("answers")).size(), 3u);
}

TEST_F(Training, TranslationsDoNotTakeThePlaceOfTheirText) {
  const std::string text = folder->file("kept", "one two\n");
  expect_error(heed(translate_command() + Words{"--input", text, "--output", folder->path("./kept")}), 2,
               "`--output` must be another file than `" + text + "`, which is read");
  EXPECT_EQ(folder->read("kept"), "one two\n");
}

TEST_F(Training, SaysHowManyTranslationsWereCutShort) {
  const Result result =
      heed(translate_command() + Words{"--search.max-length-factor", "0", "--search.max-length-constant", "1",
                                       "--search.min-length", "1"},
           "one two three four\n\n");
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.errors.find("translations cut short: 1 of 2; "), std::string::npos) << result.errors;
}

TEST_F(Training, AFinishedModelWithoutCheckpointsIsNotReplaced) {
  std::filesystem::copy(folder->path("model"), folder->path("bare"), std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(folder->path("bare/checkpoints"));
  expect_error(heed(train_command("bare")), 2,
               "`model` must be another directory: " + folder->path("bare") +
                   " has a finished model, but no checkpoints from which to resume its training");
  EXPECT_EQ(folder->read("bare/model.safetensors"), folder->read("model/model.safetensors"));
}

TEST_F(Training, TwoSignalsAtOnceAreOneRequest) {
  Program program(train_command("twice", "20000"));
  wait_for_update_50(program);
  program.signal(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // else the system may make one of them
  program.signal(SIGTERM);
  const Result stopped = program.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.errors;
  EXPECT_NE(stopped.errors.find("saved"), std::string::npos) << stopped.errors;
}

TEST_F(Training, NBestListsNumberTheirLines) {
  const Result result = heed(translate_command() + Words{"--search.n-best", "2"}, "one two\n\n");
  ASSERT_EQ(result.code, 0) << result.errors;
  const Words lines = lines_of(result.output);
  ASSERT_EQ(lines.size(), 3u) << result.output;
  EXPECT_TRUE(lines[0].starts_with("0 ||| ") && lines[1].starts_with("0 ||| ") && lines[2].starts_with("1 ||| "));
}

TEST_F(Training, BadInputToTranslateIsNamed) {
  const std::string invalid = folder->file("invalid", "one\ntwo \xff\n");
  expect_error(heed(translate_command() + Words{"--input", invalid}), 1,
               invalid + ":2: expected UTF-8 text, found the byte 0xFF at byte 5 of the line");
  expect_error(heed(translate_command() + Words{"--input", folder->path("none")}), 1,
               folder->path("none") + ": cannot open: No such file or directory");
  expect_error(heed(translate_command() + Words{"--input", folder->path("test.en"), folder->path("none")}), 1,
               folder->path("none") + ": cannot open: No such file or directory");
  const std::string endless(300, 'a');
  expect_error(heed({"translate", "--model", endless}), 1, endless + ": cannot access: File name too long");
  expect_error(heed({"translate"}), 2, "`--model` is missing: name the directory that `heed train` made");
  expect_error(heed({"translate", "--model", folder->path("none")}), 1,
               folder->path("none") + ": is not a model directory: it does not exist");
  expect_error(heed(translate_command() + Words{"--beam", "3"}), 2,
               "`--beam` is not an option; did you mean `--search.beam`?");
  expect_error(heed(translate_command() + Words{"--device", "tpu"}), 2,
               "`device` must be auto, cpu, cuda or cuda:N, but is `tpu`");
  const Result replaced = heed(translate_command() + Words{"--input", invalid, "--invalid-text", "replace"});
  EXPECT_EQ(replaced.code, 0) << replaced.errors;
  EXPECT_EQ(lines_of(replaced.output).size(), 2u);
}

TEST_F(Training, ScoreEqualsTheSearchsOwn) {
  const std::string source = folder->read("test.en");
  const Words unnormalized{"--search.length-penalty", "none", "--search.n-best", "2"};
  const Result listed = heed(translate_command() + unnormalized, source);
  ASSERT_EQ(listed.code, 0) << listed.errors;
  const Words sentences = lines_of(source);
  std::string pairs;
  std::vector<double> expected;
  for (const std::string& line : lines_of(listed.output)) {
    const size_t begin = line.find(" ||| ") + 5;
    const size_t end = line.find(" ||| ", begin);
    pairs += sentences[std::stoul(line)] + '\t' + line.substr(begin, end - begin) + '\n';
    expected.push_back(std::stod(line.substr(end + 5)));
  }
  const Result scored = heed({"score", "--model", folder->path("model"), "--threads", "1", "--pairs", "-"}, pairs);
  ASSERT_EQ(scored.code, 0) << scored.errors;
  const Words scores = lines_of(scored.output);
  ASSERT_EQ(scores.size(), 100u);
  for (size_t i = 0; i < scores.size(); ++i) EXPECT_NEAR(std::stod(scores[i]), expected[i], 1e-4) << i;
}

TEST_F(Training, PairsMayComeFromAPipe) {
  const std::string pipe = folder->path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread writer([&pipe] { std::ofstream(pipe) << "one two\tzwei eins\nthree\tdrei\n"; });
  const Result scored = heed({"score", "--model", folder->path("model"), "--threads", "1", "--pairs", pipe});
  EXPECT_EQ(scored.code, 0) << scored.errors;
  EXPECT_EQ(lines_of(scored.output).size(), 2u);
}

TEST_F(Training, AlignLinksTheWordsOfEachPair) {
  const std::string pairs = "one two\tzwei eins\n\t\nthree\tdrei\n";
  const Words command{"align", "--model", folder->path("model"), "--threads", "1", "--pairs", "-"};
  const Result links = heed(command, pairs);
  ASSERT_EQ(links.code, 0) << links.errors;
  const Words lines = lines_of(links.output);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], "");
  EXPECT_EQ(lines[2], "0-0");
  const Result picture = heed(command + Words{"--format", "blocks"}, "three\tdrei\n");
  EXPECT_TRUE(picture.output.starts_with("     ┌ three\ndrei ")) << picture.output;
}

TEST_F(Training, TheModelDirectoryAloneTellsHowToGoOn) {
  namespace fs = std::filesystem;
  fs::copy(folder->path("model"), folder->path("longer"), fs::copy_options::recursive);
  const Result result = heed({"train", "--model", folder->path("longer"), "--train.max-steps", "410"});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.errors.find("resuming after step 400"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("410 steps are done"), std::string::npos) << result.errors;
  expect_error(heed({"train", "--model", folder->path("longer"), "--preset", "transformer-big"}), 2,
               "`preset` must be transformer-low-resource, as in " + folder->path("longer") +
                   "/config.toml, which gives all options of the training");
}

TEST_F(Training, ResumedWithMovedTextKeepsTheOptionsThatNobodyNames) {
  namespace fs = std::filesystem;
  fs::copy(folder->path("model"), folder->path("moved"), fs::copy_options::recursive);
  fs::copy(folder->path("train.en"), folder->path("moved.en"));
  const Result result = heed({"train", "--model", folder->path("moved"), "--source", folder->path("moved.en"),
                              "--target", folder->path("train.de"), "--train.max-steps", "405"});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.errors.find("405 steps are done"), std::string::npos) << result.errors;
  const auto options = [&](const std::string& model) {
    std::string toml = folder->read(model + "/config.toml");
    for (const std::string changed : {"source = ", "model = ", "max-steps = "}) {
      const size_t begin = toml.find('\n' + changed) + 1;
      toml.erase(begin, toml.find('\n', begin) - begin);
    }
    return toml;
  };
  EXPECT_EQ(options("moved"), options("model"));
}

TEST_F(Training, AveragesCheckpointsOfOnesChoice) {
  const Words average{"average", "--model", folder->path("model"), "--checkpoints", "300", "400", "--output"};
  const Result result = heed(average + Words{folder->path("mean")});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors,
            "heed: the mean of the checkpoints after steps 300, 400 is in " + folder->path("mean") + "\n");
  const Result translated = heed({"translate", "--model", folder->path("mean"), "--threads", "1"}, "one two\n");
  EXPECT_EQ(translated.code, 0) << translated.errors;
  EXPECT_EQ(lines_of(translated.output).size(), 1u);
  expect_error(
      heed(average + Words{folder->path("model")}), 2,
      "`--output` must be a new or an empty directory, but " + folder->path("model") + " holds something already");
}

TEST_F(Training, GoesOnWithOtherOptionsAndSaysWhich) {
  namespace fs = std::filesystem;
  fs::copy(folder->path("model"), folder->path("other"), fs::copy_options::recursive);
  const Result result =
      heed({"train", "--model", folder->path("other"), "--train.max-steps", "410", "--arch.dropout", "0.2",
            "--valid-source", folder->path("test.en"), "--valid-target", folder->path("test.de")});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.errors.find("from step 400 on: arch.dropout 0.2 (was 0)\n"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find(
                "from step 400 on: valid-target " + folder->path("test.de") + " (was " + folder->path("dev.de") +
                "); scores before and after cannot be compared: the search for the best model starts again\n"),
            std::string::npos)
      << result.errors;
  EXPECT_NE(folder->read("other/metrics.jsonl").find("\"option\":\"arch.dropout\""), std::string::npos);
  EXPECT_NE(folder->read("other/config.toml").find("dropout = 0.2"), std::string::npos);
  const Result again = heed({"train", "--model", folder->path("other")});
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(again.errors.find(" on: "), std::string::npos) << again.errors;
}

TEST_F(Training, AReaderThatGoesAwayEndsItQuietly) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  Program program(translate_command(), "one\n", "/dev/fd/" + std::to_string(ends[1]));
  const Result result = program.wait();
  close(ends[1]);
  EXPECT_EQ(result.code, 128 + SIGPIPE);
  EXPECT_EQ(result.errors, "");
}

TEST_F(Training, AFullDiskUnderStandardOutputIsNamedAsThat) {
  const Words command = translate_command() + Words{"--alignment", folder->path("full.links")};
  const Result result = Program(command, "one\n", "/dev/full").wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.errors, "heed: standard output: cannot write: No space left on device\n");
  EXPECT_FALSE(std::filesystem::exists(folder->path("full.links")));
}

TEST_F(Training, ADamagedModelIsNamed) {
  namespace fs = std::filesystem;
  fs::copy(folder->path("model"), folder->path("damaged"), fs::copy_options::recursive);
  fs::resize_file(folder->path("damaged/model.safetensors"), 1000);
  const Result result = heed({"translate", "--model", folder->path("damaged")}, "one\n");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(result.errors.starts_with("heed: " + folder->path("damaged"))) << result.errors;
  EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
}

TEST_F(Training, BadInputToScoreIsNamed) {
  const std::string shorter = folder->file("shorter", "eins\n");
  const Words command{"score", "--model", folder->path("model"), "--source", folder->path("test.en"), "--target"};
  expect_error(heed(command + Words{shorter}), 1,
               folder->path("test.en") + " has 50 lines, " + shorter +
                   " has 1 line; line n of the one must belong to line n of the other");
}

TEST_F(Training, BadInputToTrainIsNamed) {
  const std::string model = folder->path("new");
  const std::string shorter = folder->file("shorter", "eins\nzwei\n");
  const std::string columns = folder->file("columns", "one\teins\ntwo\tzwei\tdrei\n");
  const std::string invalid = folder->file("invalid", "one\ntwo \xff\n");
  const auto error_of = [&](const Words& words, int code) {
    const Result result = heed(Words{"train", "--model", model} + words);
    EXPECT_EQ(result.code, code) << result.errors;
    EXPECT_EQ(result.output, "");
    const Words lines = lines_of(result.errors);
    return lines.empty() ? std::string() : lines.back();
  };
  const Words english{"--source", folder->path("train.en")};
  EXPECT_EQ(error_of(english + Words{"--target", shorter}, 1),
            "heed: " + folder->path("train.en") + " has 2000 lines, " + shorter +
                " has 2 lines; line n of the one must belong to line n of the other");
  EXPECT_EQ(error_of({"--pairs", columns}, 1),
            "heed: " + columns +
                ":2: expected two columns, source TAB target, found 3; `--data.bad-rows leave-out` leaves out such "
                "lines");
  EXPECT_EQ(error_of({"--source", invalid, "--target", shorter}, 1),
            "heed: " + invalid + ":2: expected UTF-8 text, found the byte 0xFF at byte 5 of the line");
  EXPECT_EQ(error_of(english + Words{"--target", folder->path("none")}, 1),
            "heed: " + folder->path("none") + ": cannot open: No such file or directory");
  EXPECT_EQ(error_of(data() + Words{"--arch.d-modle", "8"}, 2),
            "heed: `--arch.d-modle` is not an option; did you mean `--arch.d-model`?");
  EXPECT_EQ(error_of(data() + Words{"--arch.d-model", "eight"}, 2),
            "heed: `--arch.d-model` must be a whole number from 1 to 1000000, but is `eight`");
  EXPECT_EQ(error_of(data() + Words{"--train.schedule.factor", "2"}, 2),
            "heed: `--train.schedule.factor` applies only when `train.schedule.type` is `noam`, `plateau` or `step`, "
            "but it is `cosine`");
  EXPECT_EQ(error_of({}, 2), "heed: " + model +
                                 " has no training to resume; to begin one, name its text: `--source` and `--target`, "
                                 "or `--pairs` (of a language model `--target`)");
  EXPECT_FALSE(std::filesystem::exists(model));
  EXPECT_EQ(error_of(english, 2), "heed: `target` is missing: give `source` and `target`, or `pairs`");
  const std::string config = folder->file("run.toml", "[arch]\nd-model = 100\nbreadth = 3\n");
  EXPECT_EQ(error_of(data() + Words{"--config", config}, 2),
            "heed: " + config + ":3: `arch.breadth` is not an option; --help-all lists all options");
  EXPECT_EQ(error_of(data() + Words{"--arch.encoder.heads", "3"}, 2),
            "heed: `arch.encoder.heads` must divide arch.d-model (128), found 3");
}

}  // namespace
}  // namespace heed::end_to_end
