#include "heed/report/terminal_observer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "heed/core/error.h"
#include "report/reports.h"
#include "support/time_zone.h"

namespace heed::report {
namespace {

struct Terminal {
  std::ostringstream out;
  TerminalObserver observer{out};
};

TEST(TerminalObserver, TellsWhatItStartsWith) {
  Terminal terminal;
  terminal.observer.on_start(start_report());
  EXPECT_EQ(terminal.out.str(),
            "model: 1.9 million parameters\n"
            "text: 28,990 pairs for training, 1,014 for validation's loss, 1,020 for its translations\n"
            "device: cpu, 2 threads, 2 replicas, float32 matrix multiplications by oneDNN\n");
}

TEST(TerminalObserver, TellsWhereItGoesOn) {
  Terminal terminal;
  training::StartReport report = start_report();
  report.resumed = true;
  report.progress = {.steps = 4000, .tokens = 1, .epochs = 8.375};
  report.parameters = 12'345;
  report.replicas = 1;
  report.language_model = true;
  report.valid_translated = 0;
  terminal.observer.on_start(report);
  EXPECT_EQ(terminal.out.str(),
            "model: 12,345 parameters\n"
            "text: 28,990 lines for training, 1,014 for validation\n"
            "device: cpu, 2 threads, 1 replica, float32 matrix multiplications by oneDNN\n"
            "resuming after step 4,000 (epoch 8.38)\n");
}

/// Samples are other people's text.
TEST(TerminalObserver, SamplesSteerNoTerminal) {
  Terminal terminal;
  training::ValidationReport report = validation_report();
  const std::string line(9000, 'x');
  report.samples = {{.source = "a\x1b[2J\rb", .reference = "c\u202e\nd", .hypothesis = line + "end"}};
  terminal.observer.on_validation(report);
  const std::string text = terminal.out.str();
  EXPECT_NE(text.find("\n  source:     a\\x1b[2J\\rb\n  reference:  c\\u202e\\nd\n  hypothesis: xxx"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("xxxend\n")) << text;
  EXPECT_LT(text.size(), 2500u);
}

TEST(TerminalObserver, TellsWhatChanged) {
  Terminal terminal;
  terminal.observer.on_change({.option = "arch.dropout", .before = "0.3", .now = "0.2"}, {.steps = 4000});
  terminal.observer.on_change({.option = "train.schedule.length", .now = "9000", .effect = "and more"},
                              {.steps = 4000});
  EXPECT_EQ(terminal.out.str(),
            "from step 4,000 on: arch.dropout 0.2 (was 0.3)\n"
            "from step 4,000 on: train.schedule.length 9000; and more\n");
}

TEST(TerminalObserver, WritesATrainingLine) {
  Terminal terminal;
  terminal.observer.on_training(training_report());
  EXPECT_EQ(
      terminal.out.str(),
      "epoch 3, step 1,200: objective 3.2500, loss 2.0000, perplexity 7.39, learning rate 0.000125, gradient norm 1.50, 5,120 target tokens/s "
      "(data 1%, forward 35%, backward 55%, optimizer 9%), 3 min 05 s to go\n");
}

TEST(TerminalObserver, WritesWhatIsReportedByTheClock) {
  Terminal by_amount, by_clock;
  by_amount.observer.on_training(training_report());
  by_clock.observer.on_progress(training_report());
  EXPECT_EQ(by_clock.out.str(), by_amount.out.str());
  Terminal terminal;
  terminal.observer.on_forecast("10 minutes are about 900 steps");
  terminal.observer.on_validating({.progress = {.steps = 1500}, .done = 256, .all = 1014, .things = "lines"});
  EXPECT_EQ(terminal.out.str(),
            "at this speed 10 minutes are about 900 steps\n"
            "validating after step 1,500: 256 of 1,014 lines\n");
}

TEST(TerminalObserver, SaysThatTheLossDecided) {
  training::ValidationReport report = validation_report();
  report.best_by_loss = true;
  report.samples.clear();
  Terminal terminal;
  terminal.observer.on_validation(report);
  EXPECT_EQ(terminal.out.str(),
            "validation after step 1,500: BLEU 31.42, loss 1.2500, perplexity 3.49 (best so far: bleu is the same to "
            "a tenth, loss is lower; 13 s)\n");
}

/// A stream whose reader comes and goes.
struct Pipe : std::stringbuf {
  bool broken = false;
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    return broken ? 0 : std::stringbuf::xsputn(text, count);
  }
  int_type overflow(int_type c) override { return broken ? traits_type::eof() : std::stringbuf::overflow(c); }
};

TEST(TerminalObserver, OfALogThatCannotBeWrittenThrowsOnce) {
  Pipe pipe;
  std::ostream out(&pipe);
  TerminalObserver observer(out);
  pipe.broken = true;
  EXPECT_THROW(observer.on_start(start_report()), FileError);
  observer.on_warning("one");
  observer.on_validation(validation_report());
  pipe.broken = false;
  observer.on_warning("two");
  EXPECT_EQ(pipe.str(), "warning: two\n");
  pipe.broken = true;
  EXPECT_THROW(observer.on_warning("three"), FileError);
}

TEST(TerminalObserver, TellsOfSkippedUpdatesAndNoEndWithoutLimit) {
  Terminal terminal;
  training::TrainingReport report = training_report();
  report.skipped_steps = 2;
  report.remaining_seconds = -1;
  terminal.observer.on_training(report);
  EXPECT_TRUE(terminal.out.str().ends_with("optimizer 9%), 2 skipped\n")) << terminal.out.str();
}

TEST(TerminalObserver, WritesAValidation) {
  Terminal terminal;
  terminal.observer.on_validation(validation_report());
  EXPECT_EQ(terminal.out.str(),
            "validation after step 1,500: BLEU 31.42, loss 1.2500, perplexity 3.49 (best bleu so far; 13 s)\n"
            "  source:     a house\n"
            "  reference:  ein Haus\n"
            "  hypothesis: das Haus\n");
}

TEST(TerminalObserver, CountsLabelsWhereThoseAreLearned) {
  for (const text::Target& target : {text::Target(text::ClassLabel{}), text::Target(text::WordLabels{})}) {
    Terminal terminal;
    training::StartReport start = start_report();
    start.target = target;
    terminal.observer.on_start(start);
    terminal.observer.on_training(training_report());
    EXPECT_NE(terminal.out.str().find("perplexity 7.39, learning rate 0.000125, gradient norm 1.50, 5,120 labels/s ("),
              std::string::npos)
        << terminal.out.str();
  }
}

TEST(TerminalObserver, TellsOfNumbersErrorsOfAnySizeAndNoPerplexity) {
  Terminal terminal;
  training::StartReport start = start_report();
  start.target = text::Numbers{};
  terminal.observer.on_start(start);
  terminal.out.str("");
  training::TrainingReport training = training_report();
  training.objective = training.loss;
  terminal.observer.on_training(training);
  EXPECT_TRUE(
      terminal.out.str().starts_with("epoch 3, step 1,200: loss 2.0000, learning rate 0.000125, "
                                     "gradient norm 1.50, 5,120 numbers/s ("))
      << terminal.out.str();
  terminal.out.str("");
  training::ValidationReport validation = validation_report();
  validation.scores = {{"loss", 0.25}, {"mae", 0.00012345}, {"mse", 5451.06}};
  validation.samples.clear();
  terminal.observer.on_validation(validation);
  EXPECT_TRUE(terminal.out.str().starts_with("validation after step 1,500: loss 0.2500, mae 0.0001234, mse 5451 ("))
      << terminal.out.str();
}

TEST(TerminalObserver, TellsOnceThatValidationSearchesOtherwise) {
  const auto told = [](int64_t valid_beam, const std::string& translation_search = "search.beam 5") {
    Terminal terminal;
    training::StartReport start = start_report();
    start.valid_beam = valid_beam;
    start.translation_search = translation_search;
    terminal.observer.on_start(start);
    terminal.out.str("");
    training::ValidationReport report = validation_report();
    report.scores = {{"bleu", 31.416}, {"chrf", 55.25}};
    report.samples.clear();
    for (int i = 0; i < 2; ++i) terminal.observer.on_validation(report);
    return terminal.out.str();
  };
  const std::string line = "validation after step 1,500: BLEU 31.42, chrF 55.25 (best bleu so far; 13 s)\n";
  EXPECT_EQ(told(1), line + "  translated with valid.beam 1 (greedy); `heed translate` has search.beam 5\n" + line);
  EXPECT_EQ(told(2), line + "  translated with valid.beam 2; `heed translate` has search.beam 5\n" + line);
  EXPECT_EQ(told(5), line + line);
  EXPECT_EQ(told(5, "search.method sample"),
            line + "  translated with valid.beam 5; `heed translate` has search.method sample\n" + line);
  EXPECT_EQ(told(0), line + line) << "nothing is translated";
}

TEST(TerminalObserver, TellsHowLongAgoTheBestWas) {
  training::ValidationReport report = validation_report();
  report.best = false;
  report.since_best = 1;
  report.samples.clear();
  Terminal terminal;
  terminal.observer.on_validation(report);
  report.since_best = 2;
  report.patience = 0;
  terminal.observer.on_validation(report);
  EXPECT_EQ(terminal.out.str(),
            "validation after step 1,500: BLEU 31.42, loss 1.2500, perplexity 3.49 "
            "(best bleu was 1 validation ago, stops at 10; 13 s)\n"
            "validation after step 1,500: BLEU 31.42, loss 1.2500, perplexity 3.49 (best bleu was 2 validations ago; "
            "13 s)\n");
}

TEST(TerminalObserver, BeginsWithTheTimeAndOnANewDayWithTheDate) {
  const heed::testing::TimeZone zone("UTC0");
  std::ostringstream out;
  std::time_t now = 1'772'668'798;  // 2026-03-04 23:59:58
  TerminalObserver observer(out, [&now] { return now; });
  observer.on_warning("one");
  now += 1;
  observer.on_validation(validation_report());
  now += 1;
  observer.on_warning("two");
  EXPECT_EQ(out.str(),
            "2026-03-04 23:59:58 warning: one\n"
            "23:59:59 validation after step 1,500: BLEU 31.42, loss 1.2500, perplexity 3.49 (best bleu so far; 13 s)\n"
            "  source:     a house\n"
            "  reference:  ein Haus\n"
            "  hypothesis: das Haus\n"
            "2026-03-05 00:00:00 warning: two\n");
}

TEST(TerminalObserver, TellsHowItEnds) {
  Terminal terminal;
  terminal.observer.on_warning("the disk is full");
  terminal.observer.on_stop("2000 steps are done", {.steps = 2000});
  terminal.observer.on_finish(final_report());
  EXPECT_EQ(
      terminal.out.str(),
      "warning: the disk is full\n"
      "training stops after step 2,000: 2000 steps are done\n"
      "best (step 1500): BLEU 31.42\n"
      "averaged (steps 1500, 2000): BLEU 32.00\n"
      "the model is \"averaged\" (steps 1500, 2000), because its BLEU is the best, after 2 h 07 min of training\n");
}

TEST(TerminalObserver, ShowsSamplesWithoutSpacesAroundThem) {
  Terminal terminal;
  training::ValidationReport report = validation_report();
  report.samples = {{"a house  ", "ein Haus", "das Haus" + std::string(50, ' ')}};
  terminal.observer.on_validation(report);
  EXPECT_TRUE(terminal.out.str().ends_with("\n  source:     a house\n  reference:  ein Haus\n  hypothesis: das Haus\n"))
      << terminal.out.str();
}

TEST(TerminalObserver, WarnsOfAModelThatHasLearnedLittle) {
  Terminal terminal;
  training::FinalReport report = final_report();
  report.learned_little = training::LittleLearned{.loss = 5.98, .frequency_loss = 6.1};
  terminal.observer.on_finish(report);
  EXPECT_TRUE(
      terminal.out.str().ends_with("of training\nwarning: the model has learned little: its validation loss is 5.9800; "
                                   "knowing only how frequent each token is gives 6.1000\n"))
      << terminal.out.str();
  report.still_improving = true;
  terminal.observer.on_finish(report);
  EXPECT_TRUE(terminal.out.str().ends_with(
      "warning: the model has learned little so far: its validation loss is 5.9800; knowing only how frequent each token "
      "is gives 6.1000; the loss still falls, so a longer training helps\n"))
      << terminal.out.str();
}

TEST(FormatPerplexity, StaysShort) {
  EXPECT_EQ(format_perplexity(7.389), "7.39");
  EXPECT_EQ(format_perplexity(999'999), "999999.00");
  EXPECT_EQ(format_perplexity(1'234'567), "1.235e+06");
  EXPECT_EQ(format_perplexity(std::exp(718.0)), "inf");
}

TEST(TerminalObserver, ShowsTheLossOfAModelThatDiverges) {
  Terminal terminal;
  training::TrainingReport training = training_report();
  training.loss = 700;
  terminal.observer.on_training(training);
  training::ValidationReport validation = validation_report();
  validation.scores = {{"loss", 700}, {"perplexity", std::exp(700.0)}};
  terminal.observer.on_validation(validation);
  EXPECT_NE(terminal.out.str().find(" perplexity 1.014e+304, learning rate"), std::string::npos) << terminal.out.str();
  EXPECT_NE(terminal.out.str().find(" perplexity 1.014e+304 (best"), std::string::npos) << terminal.out.str();
}

}  // namespace
}  // namespace heed::report
