#include "heed/training/observer_group.h"

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
  std::vector<std::string> heard;
};

TEST(ObserverGroup, TellsAllOfThemEverything) {
  Listener first, second;
  ObserverGroup group({&first, &second});
  StartReport start;
  start.device = "cpu";
  group.on_start(start);
  group.on_training({});
  group.on_validation({});
  group.before_checkpoint("a path", {});
  group.on_checkpoint("a path", {});
  group.on_warning("careful");
  group.on_stop("enough", {});
  FinalReport finish;
  finish.chosen = "best";
  group.on_finish(finish);
  EXPECT_EQ(first.heard, (std::vector<std::string>{"start on cpu", "training", "validation", "before a path", "a path",
                                                   "careful", "enough", "best"}));
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
}

}  // namespace
}  // namespace heed::training
