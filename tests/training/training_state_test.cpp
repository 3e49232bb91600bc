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
  return {.progress = {.updates = 1234, .tokens = 4'936'000, .epochs = 1.0 / 3},
          .position = {.epoch = 2, .window = 1, .update = 17},
          .schedule = {.reductions = 2, .waiting = 1},
          .patience = {.best_rank = -1.2345678901234567, .best_loss = 1.0 / 3, .since_best = 4},
          .loss_scale = {.scale = 32768, .good_updates = 99},
          .skipped_updates = 3,
          .bad_in_a_row = 1,
          .validation_due = true,
          .spent = {.elapsed_seconds = 12.3, .processor_seconds = 23.5},
          .meter = {.objective = 1.0 / 7,
                    .loss = 1.0 / 9,
                    .good_tokens = 5,
                    .source_tokens = 6,
                    .target_tokens = 7,
                    .time = {.data = 0.1, .forward = 0.2, .backward = 0.3, .exchange = 0.5, .update = 0.4}},
          .seed = 0xffffffffffffffff};
}

TEST(TrainingState, ReadsBackExactly) {
  const TrainingState state = some_state();
  const TrainingState back = read_state(to_json(state), "state.json");
  EXPECT_EQ(back.progress.updates, state.progress.updates);
  EXPECT_EQ(back.progress.tokens, state.progress.tokens);
  EXPECT_EQ(back.progress.epochs, state.progress.epochs);
  EXPECT_EQ(back.position, state.position);
  EXPECT_EQ(back.schedule, state.schedule);
  EXPECT_EQ(back.patience, state.patience);
  EXPECT_EQ(back.loss_scale, state.loss_scale);
  EXPECT_EQ(back.skipped_updates, 3);
  EXPECT_EQ(back.bad_in_a_row, 1);
  EXPECT_TRUE(back.validation_due);
  EXPECT_EQ(back.spent, (TimeSpent{.elapsed_seconds = 12.3, .processor_seconds = 23.5}));
  EXPECT_EQ(back.meter, state.meter);
  EXPECT_EQ(back.seed, 0xffffffffffffffff);
}

TEST(TrainingState, KeepsItsTermsAndEra) {
  TrainingState state = some_state();
  EXPECT_FALSE(read_state(to_json(state), "state.json").terms) << "as in older checkpoints";
  state.terms = StateTerms{.scores = "bleu", .order = "4000", .schedule = "0.5", .precision = "fp16"};
  state.era = 2;
  const TrainingState back = read_state(to_json(state), "state.json");
  EXPECT_EQ(back.terms, state.terms);
  EXPECT_EQ(back.era, 2);
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
  state.patience.best_rank.reset();
  EXPECT_FALSE(read_state(to_json(state), "state.json").patience.best_rank);
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
  state.terms = StateTerms{.scores = "bleu", .order = "4000", .schedule = "0.5", .precision = "fp16"};
  state.era = 2;
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

}  // namespace
}  // namespace heed::training
