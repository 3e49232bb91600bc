// What the log says of a training's limits, its end and its model, and a log that cannot be written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"

namespace heed::end_to_end {
namespace {

/// Runs a line of sh, in which `heed` is the built program; its standard error goes to `log`.
int run_in_shell(const std::string& line, const std::string& log) {
  const std::string bin = std::filesystem::path(heed_path()).parent_path();
  return std::system(fmt::format("PATH='{}':\"$PATH\"; {{ {}; }} 2> '{}'", bin, line, log).c_str());
}

class TrainingLog : public ::testing::Test {
 protected:
  TrainingLog() {
    const Words words{"one", "two", "three", "four", "five"};
    write_numbers(folder, "train", words, 200);
    write_numbers(folder, "dev", words, 40);
  }
  Words command(const std::string& model, const Words& more) const {
    // clang-format off
    return Words{"train", "--source", folder.path("train.en"), "--target", folder.path("train.de"),
                 "--valid-source", folder.path("dev.en"), "--valid-target", folder.path("dev.de"),
                 "--model", folder.path(model), "--threads", "1", "--text.vocab-size", "60",
                 "--arch.d-model", "16", "--arch.encoder.layers", "1", "--arch.decoder.layers", "1",
                 "--train.schedule.warmup", "10", "--valid.every", "10", "--valid.metric", "loss",
                 "--valid.samples", "0"} + more;
    // clang-format on
  }
  std::string log_of(const std::string& model, const Words& more) const {
    const Result result = heed(command(model, more));
    EXPECT_EQ(result.code, 0) << result.errors;
    return result.errors;
  }

  Folder folder;
};

std::string line_with(const std::string& text, const std::string& log) {
  for (const std::string& line : lines_of(log)) {
    if (line.find(text) != std::string::npos) return line;
  }
  return "";
}

TEST_F(TrainingLog, SaysWhatALimitAmountsTo) {
  const std::string forecast = line_with("at this speed", log_of("m", {"--train.max-steps", "30"}));
  EXPECT_NE(forecast.find("at this speed 30 steps are about "), std::string::npos) << forecast;
  EXPECT_EQ(forecast.find("warm-up"), std::string::npos) << forecast;
}

TEST_F(TrainingLog, WarnsOfAnEndWithinTheWarmup) {
  const std::string log =
      log_of("m", {"--train.max-tokens", "12000", "--train.schedule.warmup", "2000", "--data.batch-tokens", "300"});
  const std::string warning = line_with("at this speed", log);
  EXPECT_NE(warning.find("warning: at this speed 12,000 target tokens are about "), std::string::npos) << log;
  EXPECT_TRUE(warning.ends_with("takes 2,000 steps, so training ends within it (train.schedule.warmup)")) << warning;
  EXPECT_TRUE(warning.ends_with(last_event(folder, "m", "warning")["message"].get<std::string>())) << warning;
}

TEST_F(TrainingLog, ATrainingThatWasImprovingNamesTheCommandThatContinuesIt) {
  const std::string log = log_of("my model", {"--train.max-steps", "20"});
  const Words lines = lines_of(log);
  const auto found = std::ranges::find(lines, "heed: to continue the training, run");
  ASSERT_LT(found, lines.end() - 1) << log;
  EXPECT_NE(log.find("the model has learned little so far: "), std::string::npos) << log;
  EXPECT_NE(log.find("; the loss still falls, so a longer training helps\n"), std::string::npos) << log;
  EXPECT_TRUE(last_event(folder, "my model", "finish")["still_improving"]);
  const std::string next = (found + 1)->substr(std::string("heed: ").size());
  EXPECT_TRUE(next.ends_with(" --train.max-steps 40")) << next;
  ASSERT_EQ(run_in_shell(next, folder.path("log")), 0) << folder.read("log");
  EXPECT_NE(folder.read("log").find("40 steps are done"), std::string::npos) << folder.read("log");
}

TEST_F(TrainingLog, WarnsOfAModelThatHasLearnedLittle) {
  const std::string log = log_of("m", {"--train.max-steps", "10", "--train.schedule.learning-rate", "0"});
  EXPECT_NE(log.find("warning: the model has learned little: its validation loss is "), std::string::npos) << log;
  EXPECT_EQ(log.find("still improving"), std::string::npos) << log;
  EXPECT_NE(log.find("heed: to continue the training, run\nheed:   heed train --model "), std::string::npos) << log;
  const auto little = last_event(folder, "m", "finish")["learned_little"];
  EXPECT_GT(little["loss"], little["frequency_loss"]);
}

TEST_F(TrainingLog, ADryRunSaysWhichToolkitsCanHoldTheModel) {
  const auto tried = [&](const Words& more) {
    return heed(command("tried", Words{"--train.max-steps", "30", "--dry-run"} + more)).output;
  };
  const std::string obstacle = "other positions than sinusoidal (`arch.encoder.positions`)";
  const std::string plain = tried({});
  EXPECT_NE(plain.find(" to ctranslate2; huggingface cannot hold " + obstacle + "\n"), std::string::npos) << plain;
  const std::string log = log_of("plain", {"--train.max-steps", "1"});
  EXPECT_EQ(log.find("huggingface"), std::string::npos) << log;
  const auto exported = [&](const std::string& model) {
    return heed({"export", "--to", "huggingface", "--model", folder.path(model), "--output", folder.path("theirs")});
  };
  expect_error(exported("plain"), 1,
               folder.path("plain") + ": has " + obstacle + ", which MarianMT of transformers cannot hold");
  const Words post{"--preset", "transformer-tiny",          "--arch.encoder.norm-order",
                   "post",     "--arch.decoder.norm-order", "post"};
  EXPECT_NE(tried(post).find(" to huggingface and ctranslate2\n"), std::string::npos);
  log_of("post", Words{"--train.max-steps", "1"} + post);
  EXPECT_EQ(exported("post").code, 0) << "as was said";
}

/// `heed train 2>&1 | head -3`: a training is worth more than its log.
TEST_F(TrainingLog, AReaderThatLeavesDoesNotEndTheTraining) {
  std::string line = "heed";
  for (const std::string& word : command("m", {"--train.max-steps", "20"})) line += " '" + word + "'";
  const std::string code = folder.path("code");
  ASSERT_EQ(run_in_shell(fmt::format("{{ {}; echo $? > '{}'; }} 2>&1 | head -3", line, code), folder.path("log")), 0);
  EXPECT_EQ(folder.read("code"), "0\n");
  EXPECT_EQ(last_event(folder, "m", "finish")["step"], 20);
  EXPECT_EQ(last_event(folder, "m", "warning")["message"],
            "a report of training could not be written: the log: cannot write: Broken pipe");
  EXPECT_TRUE(std::filesystem::exists(folder.path("m/model.safetensors")));
}

}  // namespace
}  // namespace heed::end_to_end
