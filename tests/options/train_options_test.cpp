// Every option of `heed train` changes what it should.
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed_torch/config/presets.h"
#include "heed_torch/config/run_settings.h"
#include "options/train_trials.h"
#include "options/watched_training.h"

namespace heed::options_test {
namespace {

constexpr const char* kTrainTable = "tests/options/train_trials.cpp";

/// What an option changes where the table does not say.
std::string aspect_of(const std::string& option) {
  if (option.starts_with("valid.") || option.starts_with("search.")) return "validation";
  if (option.starts_with("log.")) return "reports";
  if (option.starts_with("text.")) return "tokenizers";
  return "parameters";
}

std::string error_of(const Left& left) {
  const auto found = left.find("error");
  return found == left.end() ? "" : found->second;
}

class TrainOptions : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new testing::TemporaryDirectory;
    write_training_files(folder->path());
    trainings = new Trainings;
    tables = new Tables(train_tables(folder->path()));
  }
  static void TearDownTestSuite() {
    delete tables;
    delete trainings;
    delete folder;
  }

  static config::OptionList list() {
    config::RunOptions options = config::read_run_options({}, as_layer(tables->base));
    return config::list_options(config::visit_options(options));
  }
  static void expect_effect(const Trial& trial) {
    const std::string aspect = trial.aspect.empty() ? aspect_of(trial.option) : trial.aspect;
    const Left &before = trainings->of(trial.before), &after = trainings->of(trial.after);
    if (aspect != "error") {
      ASSERT_EQ(error_of(before), "") << trial.shown << " does not fit the rest: see " << kTrainTable;
      ASSERT_EQ(error_of(after), "") << trial.shown << " does not fit the rest: see " << kTrainTable;
    }
    const auto of = [&](const Left& left) { return left.contains(aspect) ? left.at(aspect) : std::string(); };
    EXPECT_TRUE(of(before) != of(after)) << trial.shown << " has no effect on " << aspect << ": hand it on, or say in "
                                         << kTrainTable << " with what it has one";
  }

  static testing::TemporaryDirectory* folder;
  static Trainings* trainings;
  static Tables* tables;
};
testing::TemporaryDirectory* TrainOptions::folder = nullptr;
Trainings* TrainOptions::trainings = nullptr;
Tables* TrainOptions::tables = nullptr;

TEST_F(TrainOptions, TheSameTrainingTwiceLeavesTheSame) {
  Trainings again;
  EXPECT_EQ(again.of(tables->base), trainings->of(tables->base));
}

TEST_F(TrainOptions, AreAllTriedOrHaveAReasonWhyNot) {
  for (const std::string& message : walk_options(list(), *tables, kTrainTable).missing) ADD_FAILURE() << message;
}

TEST_F(TrainOptions, ChangeWhatTheyShould) {
  for (const Trial& trial : walk_options(list(), *tables, kTrainTable).trials) expect_effect(trial);
}

/// Options of speed and memory.
TEST_F(TrainOptions, OfSpeedChangeNothing) {
  Settings base = tables->base;
  base.erase("data.prefetch-threads");
  base.erase("search.workers");
  Settings other = base;
  for (const auto& [option, value] : std::map<std::string, std::string>{{"data.prefetch", "1"},
                                                                        {"data.prefetch-threads", "2"},
                                                                        {"search.batch-sentences", "2"},
                                                                        {"search.batch-tokens", "9"},
                                                                        {"search.continuous-batching", "1"},
                                                                        {"search.buffer-lines", "3"},
                                                                        {"search.workers", "2"}}) {
    other[option] = {value};
  }
  EXPECT_EQ(trainings->of(other), trainings->of(base));
}

TEST_F(TrainOptions, PresetsAreAllDifferent) {
  std::map<std::string, std::string> seen;  // by resolved options
  for (const auto& [preset, name] : option_names(config::Preset{})) {
    config::RunOptions options = config::preset_options(preset);
    options.preset = {};
    const auto [other, is_new] = seen.emplace(config::format_options(options), name);
    EXPECT_TRUE(is_new) << name << " is " << other->second;
  }
}

}  // namespace
}  // namespace heed::options_test
