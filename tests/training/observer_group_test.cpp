#include "heed/report/observer.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/log.h"

namespace heed::training {
namespace {

struct Listener : Observer {
  void on_start(const StartReport& report) override { heard.push_back("start on " + report.device); }
  void on_training(const TrainingReport&) override { heard.push_back("training"); }
  void on_validation(const ValidationReport&) override { heard.push_back("validation"); }
  void before_checkpoint(const std::string& path, const Progress&) override { heard.push_back("before " + path); }
  void on_checkpoint(const std::string& path, const Progress&) override { heard.push_back(path); }
  void on_finish(const FinalReport& report) override { heard.push_back(report.chosen); }
  void on_warning(const std::string& message) override { heard.push_back(message); }
  void on_stop(const std::string& reason, const Progress&) override { heard.push_back(reason); }
  void on_progress(const TrainingReport&) override { heard.push_back("progress"); }
  void on_forecast(const std::string& forecast) override { heard.push_back(forecast); }
  void on_validating(const ValidatingReport& report) override { heard.emplace_back(report.things); }
  void on_failed_observer(const std::string& message) override { failures.push_back(message); }
  std::vector<std::string> heard, failures;
};

TEST(ObserverGroup, TellsAllOfThemEverything) {
  Listener first, second;
  ObserverGroup group({&first, &second});
  StartReport start;
  start.device = "cpu";
  group.on_start(start);
  group.on_training({});
  group.on_progress({});
  group.on_forecast("ten updates");
  group.on_validating({.things = "lines"});
  group.on_validation({});
  group.before_checkpoint("a path", {});
  group.on_checkpoint("a path", {});
  group.on_warning("careful");
  group.on_stop("enough", {});
  FinalReport finish;
  finish.chosen = "best";
  group.on_finish(finish);
  EXPECT_EQ(first.heard,
            (std::vector<std::string>{"start on cpu", "training", "progress", "ten updates", "lines", "validation",
                                      "before a path", "a path", "careful", "enough", "best"}));
  EXPECT_EQ(second.heard, first.heard);
}

TEST(ObserverGroup, WhatOneThrowsIsLoggedAndKeptFromTheOthers) {
  struct Broken : Observer {
    void on_training(const TrainingReport&) override { throw Error("no space left"); }
  } broken;
  Listener other;
  std::string logged;
  set_log_sink([&](LogLevel, std::string_view message) { logged = message; });
  ObserverGroup({&broken, &other}).on_training({});
  set_log_sink({});
  EXPECT_EQ(logged, "a report of training could not be written: no space left");
  EXPECT_EQ(other.heard, std::vector<std::string>{"training"});
  EXPECT_EQ(other.failures, std::vector<std::string>{"a report of training could not be written: no space left"});
}

/// Whoever is told of an event after one that failed may only then be able to take in the failure.
TEST(ObserverGroup, OthersHearOfAFailureAfterTheEvent) {
  struct Broken : Observer {
    void on_start(const StartReport&) override { throw Error("no reader"); }
  } broken;
  struct Starting : Observer {
    bool started = false, told_after_start = false;
    void on_start(const StartReport&) override { started = true; }
    void on_failed_observer(const std::string&) override { told_after_start = started; }
  } other;
  ObserverGroup({&broken, &other}).on_start({});
  EXPECT_TRUE(other.told_after_start);
}

}  // namespace
}  // namespace heed::training
