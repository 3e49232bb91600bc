#include "heed/report/json_lines_observer.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "report/reports.h"
#include "support/message_of.h"
#include "support/time_zone.h"

namespace heed::report {
namespace {

class JsonLines : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path); }
  void TearDown() override { std::filesystem::remove(path); }
  std::string content() const { return read_file(path); }

  const std::string path =
      ::testing::TempDir() + "heed_" + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".jsonl";
};

TEST_F(JsonLines, WritesOneObjectAnEvent) {
  JsonLinesObserver observer(path);
  observer.on_start(start_report());
  observer.on_training(training_report());
  observer.on_warning("a line was odd");
  observer.on_validation(validation_report());
  observer.before_checkpoint("run/checkpoints/0001500", validation_report().progress);
  observer.on_checkpoint("run/checkpoints/0001500", validation_report().progress);
  observer.on_stop("2000 steps are done", final_report().progress);
  observer.on_finish(final_report());
  EXPECT_EQ(
      content(),
      R"({"type":"start","step":0,"tokens":0,"epochs":0.0,"resumed":false,"parameters":1912064,"pairs":28990,"valid_pairs":1014,"valid_translated":1020,"device":"cpu","threads":2,"replicas":2,"matmul":"float32 matrix multiplications by oneDNN"}
{"type":"train","step":1200,"tokens":4800000,"epochs":2.5,"epoch":3,"objective":3.25,"loss":2.0,"learning_rate":0.000125,"gradient_norm":1.5,"source_tokens_per_second":5000.5,"target_tokens_per_second":5120.25,"seconds":{"data":1.0,"forward":35.0,"backward":55.0,"optimizer":9.0},"elapsed":1000.0,"skipped_steps":0,"remaining":185.0}
{"type":"warning","step":1200,"tokens":4800000,"epochs":2.5,"message":"a line was odd"}
{"type":"validation","step":1500,"tokens":6000000,"epochs":3.125,"epoch":4,"scores":{"bleu":31.416,"loss":1.25,"perplexity":3.4903},"metric":"bleu","best":true,"since_best":0,"seconds":12.5,"elapsed":1250.0,"signature":"nrefs:1|case:mixed","samples":[{"source":"a house","reference":"ein Haus","hypothesis":"das Haus"}]}
{"type":"checkpoint","step":1500,"tokens":6000000,"epochs":3.125,"path":"run/checkpoints/0001500"}
{"type":"stop","step":2000,"tokens":8000000,"epochs":4.25,"reason":"2000 steps are done"}
{"type":"finish","step":2000,"tokens":8000000,"epochs":4.25,"chosen":"averaged","metric":"bleu","candidates":[{"name":"best","steps":[1500],"scores":{"bleu":31.416}},{"name":"averaged","steps":[1500,2000],"scores":{"bleu":32.0}}],"elapsed":7620.0,"processor_seconds":7500.5}
)");
}

TEST_F(JsonLines, HasAWarningOfALogThatCannotBeWrittenAndThatScoresWereImproving) {
  JsonLinesObserver observer(path);
  observer.on_start(start_report());
  const std::string before = content();
  observer.on_progress(training_report());
  observer.on_forecast("10 minutes are about 900 steps");
  observer.on_validating({});
  EXPECT_EQ(content(), before) << "reports by the clock are for the log";
  observer.on_failed_observer("no reader");
  EXPECT_EQ(content(), before + R"({"type":"warning","step":0,"tokens":0,"epochs":0.0,"message":"no reader"})" + "\n");
  training::FinalReport report = final_report();
  report.still_improving = true;
  report.learned_little = training::LittleLearned{.loss = 5.75, .frequency_loss = 6};
  observer.on_finish(report);
  EXPECT_TRUE(content().ends_with(R"("processor_seconds":7500.5,"still_improving":true,)"
                                  R"("learned_little":{"loss":5.75,"frequency_loss":6.0}})"
                                  "\n"))
      << content();
}

TEST_F(JsonLines, WritesWhatTheTrainingTextHasTwice) {
  JsonLinesObserver observer(path);
  auto start = start_report();
  start.overlap =
      data::OverlapCounts{.pairs = 90, .duplicates = 3, .leaking = 7, .valid_found = 5, .valid_sources_found = 6};
  observer.on_start(start);
  EXPECT_NE(content().find(R"("pairs":28990,"duplicate_pairs":3,"leaking_pairs":7,"valid_pairs_in_training":5,)"
                           R"("valid_sources_in_training":6,"valid_pairs":1014)"),
            std::string::npos)
      << content();
}

TEST_F(JsonLines, HasTheFolderOfItsLastStart) {
  EXPECT_EQ(folder_of_start(""), std::nullopt);
  JsonLinesObserver(path).on_start(start_report());
  EXPECT_EQ(folder_of_start(content()), std::nullopt) << "an older version";
  JsonLinesObserver(path, {}, {.folder = "/one"}).on_start(start_report());
  EXPECT_EQ(folder_of_start(content()), "/one");
  training::StartReport report = start_report();
  report.resumed = true;
  JsonLinesObserver(path, {}, {.folder = R"(/two "x")"}).on_start(report);
  EXPECT_EQ(folder_of_start(content() + R"({"type":"start","folder":"/cut)"), R"(/two "x")");
}

TEST_F(JsonLines, WritesTheTimeOfExchangeAndChrfsSignature) {
  JsonLinesObserver observer(path);
  auto training = training_report();
  training.time.exchange = 2.5;
  observer.on_training(training);
  auto validation = validation_report();
  validation.chrf_signature = "nrefs:1|nc:6";
  observer.on_validation(validation);
  EXPECT_NE(content().find(R"("optimizer":9.0,"exchange":2.5})"), std::string::npos) << content();
  EXPECT_NE(content().find(R"("chrf_signature":"nrefs:1|nc:6")"), std::string::npos) << content();
}

TEST_F(JsonLines, TellsTheTimeOfEachEvent) {
  const heed::testing::TimeZone zone("CET-1");
  JsonLinesObserver observer(path, [] { return std::time_t{1'772'597'167}; });
  observer.on_start(start_report());
  observer.on_stop("2000 steps are done", final_report().progress);
  const std::string text = content();
  EXPECT_NE(text.find(R"("epochs":0.0,"time":"2026-03-04T05:06:07+01:00","resumed":false)"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(R"("epochs":4.25,"time":"2026-03-04T05:06:07+01:00","reason":"2000 steps are done"})"
                             "\n"))
      << text;
}

TEST_F(JsonLines, KeepsWhatChanged) {
  JsonLinesObserver observer(path);
  observer.on_start(start_report());
  const std::string before = content();
  observer.on_change({.option = "arch.dropout", .before = "0.3", .now = "0.2"}, {.steps = 4000});
  observer.on_change({.option = "valid.metric", .before = "bleu", .now = "loss", .effect = "anew"}, {.steps = 4000});
  EXPECT_EQ(
      content(),
      before +
          R"({"type":"change","step":4000,"tokens":0,"epochs":0.0,"option":"arch.dropout","before":"0.3","now":"0.2"}
{"type":"change","step":4000,"tokens":0,"epochs":0.0,"option":"valid.metric","before":"bleu","now":"loss","effect":"anew"}
)");
}

TEST_F(JsonLines, ANewTrainingBeginsTheFileAnew) {
  write_file(path, "{\"type\":\"train\",\"step\":7}\n");
  JsonLinesObserver(path).on_start(start_report());
  EXPECT_TRUE(content().starts_with("{\"type\":\"start\""));
}

TEST_F(JsonLines, AResumedTrainingGoesOnFromItsCheckpoint) {
  write_file(
      path,
      "{\"type\":\"train\",\"update\":100}\n{\"type\":\"train\",\"step\":200}\n{\"type\":\"train\",\"update\":300}\n"
      "{\"type\":\"train\",\"step\":300}\n{\"type\":\"train\",\"st");
  training::StartReport report = start_report();
  report.resumed = true;
  report.progress.steps = 200;
  JsonLinesObserver(path).on_start(report);
  EXPECT_TRUE(
      content().starts_with("{\"type\":\"train\",\"update\":100}\n{\"type\":\"train\",\"step\":200}\n"
                            "{\"type\":\"start\",\"step\":200,"))
      << content();
  EXPECT_EQ(content().find("300"), std::string::npos);
}

TEST_F(JsonLines, AChangeAfterTheCheckpointThatIsResumedStaysInForce) {
  write_file(path,
             R"({"type":"change","step":100,"tokens":1,"epochs":0.5,"option":"a","before":"1","now":"2"}
{"type":"checkpoint","step":300,"tokens":3,"epochs":1.5,"path":"damaged later"}
{"type":"change","step":300,"tokens":3,"epochs":1.5,"time":"noon","option":"b","before":"3","now":"4"}
{"type":"change","update":300,"option":"c","before":"5","now":"6"}
{"type":7,"step":300}
)");
  training::StartReport report = start_report();
  report.resumed = true;
  report.progress = {.steps = 200, .tokens = 2, .epochs = 1};
  JsonLinesObserver(path).on_start(report);
  const std::string kept =
      R"({"type":"change","step":100,"tokens":1,"epochs":0.5,"option":"a","before":"1","now":"2"}
{"type":"change","step":200,"tokens":2,"epochs":1.0,"time":"noon","option":"b","before":"3","now":"4"}
{"type":"change","option":"c","before":"5","now":"6","step":200,"tokens":2,"epochs":1.0}
)";
  EXPECT_TRUE(content().starts_with(kept + R"({"type":"start","step":200,)")) << content();
  report.resumed = false;
  JsonLinesObserver(path).on_start(report);
  EXPECT_TRUE(content().starts_with(R"({"type":"start",)")) << "a new training has no changes";
}

TEST_F(JsonLines, WritesNullForNumbersThatAreNotFiniteAndReplacesBrokenText) {
  JsonLinesObserver observer(path);
  observer.on_start(start_report());
  training::TrainingReport report = training_report();
  report.objective = std::numeric_limits<double>::quiet_NaN();
  observer.on_training(report);
  observer.on_warning("\xff");
  const std::string text = content();
  EXPECT_NE(text.find("\"objective\":null"), std::string::npos);
  EXPECT_NE(text.find("\"message\":\"\xef\xbf\xbd\""), std::string::npos);
}

/// Lets files of this process grow to `bytes` only, as a full disk would.
class FullDisk {
 public:
  explicit FullDisk(uint64_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(JsonLines, AFullDiskIsToldOnceAndLosesNothing) {
  JsonLinesObserver observer(path);
  observer.on_start(start_report());
  const std::string before = content();
  {
    const FullDisk full(before.size() + 30);
    EXPECT_EQ(heed::testing::message_of<FileError>([&] { observer.on_training(training_report()); }),
              path + ": cannot write: File too large");
    EXPECT_EQ(content().size(), before.size() + 30) << "part of a line is there";
    EXPECT_NO_THROW(observer.on_validation(validation_report()));
  }
  observer.on_warning("one");
  const std::string after = content();
  EXPECT_TRUE(after.starts_with(before + R"({"type":"train",)")) << after;
  const size_t validation = after.find("\n{\"type\":\"validation\","), warning = after.find("\n{\"type\":\"warning\",");
  EXPECT_LT(validation, warning) << after;
  EXPECT_NE(warning, std::string::npos) << after;
  EXPECT_EQ(std::ranges::count(after, '\n'), 4) << after;
  EXPECT_TRUE(after.ends_with("\"message\":\"one\"}\n")) << after;
  const FullDisk full(after.size());
  EXPECT_THROW(observer.on_warning("two"), FileError) << "the next outage is told again";
}

TEST_F(JsonLines, AFileThatCouldNotBeBegunIsBegunLater) {
  JsonLinesObserver observer(path);
  {
    const FullDisk full(0);
    EXPECT_THROW(observer.on_start(start_report()), FileError);
    EXPECT_NO_THROW(observer.on_warning("the disk is full"));
  }
  observer.on_training(training_report());
  const std::string text = content();
  EXPECT_TRUE(text.starts_with("{\"type\":\"start\"")) << text;
  EXPECT_LT(text.find("\n{\"type\":\"warning\""), text.find("\n{\"type\":\"train\"")) << text;
}

TEST_F(JsonLines, AnUnwritablePlaceIsAnError) {
  JsonLinesObserver observer("/nowhere/metrics.jsonl");
  EXPECT_THROW(observer.on_start(start_report()), FileError);
}

}  // namespace
}  // namespace heed::report
