#include "heed_torch/training/training_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::training {
namespace {

TrainingState some_state() {
  return {.progress = {.steps = 1234, .tokens = 4'936'000, .epochs = 1.0 / 3},
          .position = {.epoch = 2, .window = 1, .step = 17},
          .schedule = {.reductions = 2, .waiting = 1},
          .patience = {.best_score = -1.2345678901234567, .best_loss = 1.0 / 3, .since_best = 4},
          .loss_scale = {.scale = 32768, .good_steps = 99},
          .skipped = {.skipped = 3, .bad_in_a_row = 1},
          .validation_due = true,
          .spent = {.elapsed_seconds = 12.3, .processor_seconds = 23.5},
          .meter = {.objective = 1.0 / 7,
                    .loss = 1.0 / 9,
                    .good_tokens = 5,
                    .source_tokens = 6,
                    .target_tokens = 7,
                    .time = {.data = 0.1, .forward = 0.2, .backward = 0.3, .exchange = 0.5, .optimizer = 0.4}},
          .seed = 0xffffffffffffffff};
}

TEST(TrainingState, ReadsBackExactly) {
  const TrainingState state = some_state();
  const TrainingState back = read_state(to_json(state), "state.json");
  EXPECT_EQ(back.progress.steps, state.progress.steps);
  EXPECT_EQ(back.progress.tokens, state.progress.tokens);
  EXPECT_EQ(back.progress.epochs, state.progress.epochs);
  EXPECT_EQ(back.position, state.position);
  EXPECT_EQ(back.schedule, state.schedule);
  EXPECT_EQ(back.patience, state.patience);
  EXPECT_EQ(back.loss_scale, state.loss_scale);
  EXPECT_EQ(back.skipped.skipped, 3);
  EXPECT_EQ(back.skipped.bad_in_a_row, 1);
  EXPECT_TRUE(back.validation_due);
  EXPECT_EQ(back.spent, (TimeSpent{.elapsed_seconds = 12.3, .processor_seconds = 23.5}));
  EXPECT_EQ(back.meter, state.meter);
  EXPECT_EQ(back.seed, 0xffffffffffffffff);
}

/// state.json as all versions since those with conditions write it.
constexpr const char* kStateFile = R"({
  "update": 1234.0,
  "tokens": 4936000.0,
  "epochs": 0.3333333333333333,
  "stream": {
    "epoch": 2,
    "window": 1,
    "update": 17
  },
  "schedule": {
    "reductions": 2,
    "waiting": 1
  },
  "patience": {
    "best_rank": -1.2345678901234567,
    "since_best": 4,
    "best_loss": 0.3333333333333333
  },
  "loss_scale": {
    "scale": 32768.0,
    "good_updates": 99
  },
  "skipped_updates": 3,
  "bad_in_a_row": 1,
  "validation_due": true,
  "seconds": 12.3,
  "processor_seconds": 23.5,
  "meter": {
    "objective": 0.14285714285714285,
    "loss": 0.1111111111111111,
    "good_tokens": 5.0,
    "source_tokens": 6.0,
    "target_tokens": 7.0,
    "seconds": {
      "data": 0.1,
      "forward": 0.2,
      "backward": 0.3,
      "exchange": 0.5,
      "update": 0.4
    }
  },
  "seed": 18446744073709551615,
  "terms": {
    "scores": "bleu",
    "order": "4000",
    "schedule": "",
    "precision": "fp16"
  },
  "era": 2
}
)";

TEST(TrainingState, HasTheFileOfEarlierVersions) {
  TrainingState state = some_state();
  state.conditions = StateConditions{.scores = "bleu", .order = "4000", .schedule = "", .precision = "fp16"};
  state.scores.version = 2;
  EXPECT_EQ(to_json(state), kStateFile);
  EXPECT_EQ(to_json(read_state(kStateFile, "state.json")), kStateFile);
}

TEST(TrainingState, WithoutABestScoreHasNullInTheFile) {
  const std::string json = to_json(TrainingState());
  EXPECT_NE(json.find("\"best_rank\": null"), std::string::npos);
  for (const char* absent : {"best_loss", "terms", "era", "lines"}) EXPECT_EQ(json.find(absent), std::string::npos);
  EXPECT_EQ(to_json(read_state(json, "state.json")), json);
}

TEST(TrainingState, KeepsItsConditionsAndTheVersionOfScores) {
  TrainingState state = some_state();
  EXPECT_FALSE(read_state(to_json(state), "state.json").conditions) << "as in older checkpoints";
  state.conditions = StateConditions{.scores = "bleu", .order = "4000", .schedule = "0.5", .precision = "fp16"};
  state.scores.version = 2;
  const TrainingState back = read_state(to_json(state), "state.json");
  EXPECT_EQ(back.conditions, state.conditions);
  EXPECT_EQ(back.scores.version, 2);
}

TEST(TrainingState, KnowsWhereAStreamStands) {
  TrainingState state = some_state();
  state.position.lines = data::StreamedLines{.before = {.read = 7, .kept = 6, .too_long = 1},
                                             .sha256 = "abc",
                                             .given = 3,
                                             .source_lengths = {0, 4, 2},
                                             .usual_source_length = 2};
  const std::string json = to_json(state);
  EXPECT_EQ(read_state(json, "state.json").position, state.position);
  std::string older = json;
  for (const std::string name : {"source_lengths", "usual_source_length"}) older.replace(older.find(name), 6, "other_");
  const auto lines = read_state(older, "state.json").position.lines;
  EXPECT_TRUE(lines->source_lengths.empty());
  EXPECT_FALSE(lines->usual_source_length);
}

TEST(TrainingState, OfOlderCheckpointsHasNoProcessorTime) {
  std::string json = to_json(some_state());
  json.replace(json.find("processor"), 9, "elsewhere");
  EXPECT_EQ(read_state(json, "state.json").spent, (TimeSpent{.elapsed_seconds = 12.3, .processor_seconds = 0}));
}

TEST(TrainingState, OfOlderCheckpointsHasNoSums) {
  std::string json = to_json(some_state());
  const size_t meter = json.find("\"meter\"");
  json.replace(meter, 7, "\"other\"");
  EXPECT_EQ(read_state(json, "state.json").meter, MeterState{});
}

TEST(TrainingState, KnowsNoBestBeforeTheFirstValidation) {
  TrainingState state = some_state();
  state.patience.best_score.reset();
  EXPECT_FALSE(read_state(to_json(state), "state.json").patience.best_score);
}

TEST(TrainingState, RefusesWhatIsNone) {
  EXPECT_THROW(read_state("{}", "state.json"), CheckpointError);
  EXPECT_THROW(read_state("no json", "state.json"), CheckpointError);
  EXPECT_THROW(read_state(R"({"update": "seven"})", "state.json"), CheckpointError);
}

/// What is wrong with it, as the error says after the file.
std::string problem(const std::string& json) {
  const std::string message = testing::message_of<CheckpointError>([&] { read_state(json, "state.json"); });
  const std::string begin = "state.json: is not a training state: ";
  return message.starts_with(begin) ? message.substr(begin.size()) : message;
}

TEST(TrainingState, SaysWhatIsWrong) {
  EXPECT_EQ(problem("{}"), "`update` must be a number, but is missing");
  std::string json = to_json(some_state());
  json.replace(json.find("1234.0"), 6, "\"x\"");
  EXPECT_EQ(problem(json), "`update` must be a number, but is \"x\"");
  EXPECT_EQ(problem("no json"), "it is not a JSON object, or it is truncated");
  EXPECT_EQ(problem(std::string(100'000, '[')), "it is nested deeper than 64 levels");
  EXPECT_EQ(problem("{\"a\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}"),
            "it is nested deeper than 64 levels");
}

TEST(TrainingState, NamesEveryMemberThatIsOfAnotherType) {
  TrainingState state = some_state();
  state.conditions = StateConditions{.scores = "bleu", .order = "4000", .schedule = "0.5", .precision = "fp16"};
  state.scores.version = 2;
  state.position.lines = data::StreamedLines{.sha256 = "abc", .source_lengths = {0, 4}, .usual_source_length = 2};
  const auto json = nlohmann::ordered_json::parse(to_json(state));
  const auto flat = json.flatten();
  for (const auto& [path, value] : flat.items()) {
    auto damaged = json;
    damaged[nlohmann::ordered_json::json_pointer(path)] = nlohmann::ordered_json::object();
    std::string name = path.substr(1);
    std::ranges::replace(name, '/', '.');
    if (name.starts_with("stream.lines.source_lengths")) name = "stream.lines.source_lengths";
    EXPECT_TRUE(problem(damaged.dump()).starts_with("`" + name + "` must be ")) << problem(damaged.dump());
  }
}

TEST(StateConditions, HoldWhereAnotherVersionListsOtherOptions) {
  const char* now = "valid.metric bleu, valid.beam 4, search.word-reward 0, valid-target file 1 5b";
  EXPECT_TRUE(same_conditions(now, now, now));
  EXPECT_TRUE(same_conditions(now, "", now)) << "they are the same";
  EXPECT_TRUE(same_conditions("valid.beam 4, valid.metric bleu, valid-target file 1 5b", now, now)) << "one is added";
  EXPECT_TRUE(same_conditions("valid.beam 4, valid.old 7, valid.metric bleu, valid-target file 1 5b", now, now))
      << "one is gone";
}

TEST(StateConditions, DoNotHoldWhereAnOptionChanged) {
  const char* saved = "valid.metric bleu, valid.beam 4";
  const char* before = "valid.metric bleu, valid.beam 4, search.word-reward 0";
  EXPECT_FALSE(same_conditions(saved, before, "valid.metric bleu, valid.beam 5, search.word-reward 0"));
  EXPECT_FALSE(same_conditions(saved, before, "valid.metric bleu, valid.beam 4, search.word-reward 1"))
      << "the older version does not know it, but config.toml does";
  EXPECT_FALSE(same_conditions(saved, before, "valid.metric bleu")) << "it went with another choice";
  const char* other = "valid.metric bleu, valid.beam 5, search.word-reward 0";
  EXPECT_FALSE(same_conditions(saved, other, other)) << "config.toml was written, but no checkpoint since";
}

TEST(StateConditions, HoldOnlyWithAllTheText) {
  const char* two = "valid.metric bleu, valid-target file 1 5b, valid-target file 2 5c";
  const char* one = "valid.metric bleu, valid-target file 1 5b";
  EXPECT_TRUE(same_conditions(two, two, "valid-target file 2 5c, valid.metric bleu, valid-target file 1 5b"));
  EXPECT_FALSE(same_conditions(two, one, one));
  EXPECT_FALSE(same_conditions(one, two, two));
  EXPECT_FALSE(same_conditions(one, one, "valid.metric bleu, valid-target file 1 5c"));
}

TEST(StateConditions, MayBeNone) {
  EXPECT_TRUE(same_conditions("", "", ""));
  EXPECT_FALSE(same_conditions("", "train.schedule.type plateau", "train.schedule.type plateau"));
  EXPECT_FALSE(same_conditions("train.schedule.type plateau", "", ""));
}

TEST(StateConditions, HoldUnderFormerNames) {
  EXPECT_TRUE(same_conditions("data.window 9", "data.shuffle-window 8", "data.shuffle-window 9"));
  EXPECT_FALSE(same_conditions("data.window 9", "data.shuffle-window 8", "data.shuffle-window 8"));
}

TEST(StateConditions, HaveValuesOfSeveralWords) {
  EXPECT_FALSE(
      same_conditions("data.corpus-weights a=2 b=1", "data.corpus-weights a=2 b=1", "data.corpus-weights a=2 b=2"));
  EXPECT_TRUE(same_conditions("data.bptt-length 3", "data.corpus-weights , data.bptt-length 3",
                              "data.corpus-weights , data.bptt-length 3"));
}

}  // namespace
}  // namespace heed::training
