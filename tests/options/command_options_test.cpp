// Every option of every command beside `heed train` changes what the command writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "options/command_trials.h"
#include "options/watched_command.h"
#include "options/watched_training.h"
#include "support/temporary_directory.h"

namespace heed::options_test {
namespace {

constexpr const char* kCommandTable = "tests/options/command_trials.cpp";

/// The names of a command, or of its parts.
std::vector<std::string> names_of(const config::Command& command) {
  if (command.parts.empty()) return {command.name};
  std::vector<std::string> names;
  for (const config::Command& part : command.parts) names.push_back(command.name + " " + part.name);
  return names;
}

class CommandOptions : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new testing::TemporaryDirectory;
    make_models(folder->path());
  }
  static void TearDownTestSuite() { delete folder; }

  static void expect_effect(const std::string& command, const Trial& trial) {
    const std::string before = written_by(command, trial.before), after = written_by(command, trial.after);
    const bool may_fail = trial.option == "invalid-text" || trial.option == "tab-references";
    if (!may_fail) {
      ASSERT_TRUE(before.starts_with("exit code 0\n")) << command << ", before " << trial.shown << ": " << before;
      ASSERT_TRUE(after.starts_with("exit code 0\n")) << command << ", " << trial.shown << ": " << after;
    }
    EXPECT_TRUE(before != after) << "heed " << command << ": " << trial.shown
                                 << " has no effect: hand it on, or say in " << kCommandTable
                                 << " with what it has one";
  }
  static Walked walk(const std::string& command, const Tables& tables) {
    return walk_options(config::list_options(command_named(command).options), tables, kCommandTable);
  }

  static testing::TemporaryDirectory* folder;
};
testing::TemporaryDirectory* CommandOptions::folder = nullptr;

TEST_F(CommandOptions, OfEveryCommandAreWalked) {
  const auto tables = command_tables(folder->path());
  const auto left_out = commands_not_walked();
  for (const config::Command& command : all_commands()) {
    for (const std::string& name : names_of(command)) {
      EXPECT_TRUE(tables.contains(name) || left_out.contains(name))
          << "nothing walks the options of heed " << name << ": give it tables in " << kCommandTable;
    }
  }
}

TEST_F(CommandOptions, AreAllTriedOrHaveAReasonWhyNot) {
  for (const auto& [command, tables] : command_tables(folder->path())) {
    for (const std::string& message : walk(command, tables).missing)
      ADD_FAILURE() << "heed " << command << ": " << message;
  }
}

TEST_F(CommandOptions, ChangeWhatIsWritten) {
  for (const auto& [command, tables] : command_tables(folder->path())) {
    for (const Trial& trial : walk(command, tables).trials) expect_effect(command, trial);
  }
}

TEST_F(CommandOptions, OfSpeedChangeNothing) {
  const auto tables = command_tables(folder->path());
  const auto expect_none = [&](const std::string& command, const Settings& more) {
    const Settings& base = tables.at(command).base;
    Settings other = base;
    for (const auto& [option, values] : more) other[option] = values;
    EXPECT_EQ(written_by(command, other), written_by(command, base)) << command;
  };
  expect_none("translate", {{"threads", {"2"}},
                            {"search.workers", {"2"}},
                            {"search.batch-sentences", {"2"}},
                            {"search.batch-tokens", {"50"}},
                            {"search.continuous-batching", {"1"}},
                            {"search.buffer-lines", {"3"}}});
  expect_none("score", {{"threads", {"2"}}, {"workers", {"2"}}});
  expect_none("generate", {{"threads", {"2"}}, {"workers", {"2"}}, {"batch-sentences", {"1"}}});
  expect_none("evaluate", {{"threads", {"2"}}});
}

/// What a model was trained with holds where the command line says nothing.
TEST_F(CommandOptions, OfSearchAreTheModelsOwnUnlessGiven) {
  const std::string model = folder->path() + "/saved";
  const auto is_of_search = [](const auto& setting) { return setting.first.starts_with("search."); };
  for (const Trial& trial : walk("translate", command_tables(folder->path()).at("translate")).trials) {
    if (!trial.option.starts_with("search.") ||
        trial.before.at("model") != Settings::mapped_type{folder->path() + "/model"})
      continue;
    // Nothing is left to train there: the training only saves its options.
    std::filesystem::copy(folder->path() + "/model", model, std::filesystem::copy_options::recursive);
    Settings training = model_settings(folder->path()), translating = trial.after;
    std::ranges::copy_if(trial.after, std::inserter(training, training.end()), is_of_search);
    ASSERT_FALSE(train(training, model).contains("error")) << trial.shown;
    std::erase_if(translating, is_of_search);
    translating["model"] = {model};
    EXPECT_EQ(written_by("translate", translating), written_by("translate", trial.after))
        << trial.shown << ", saved with the model, is not what heed translate uses";
    std::filesystem::remove_all(model);
  }
}

}  // namespace
}  // namespace heed::options_test
