// `heed make`: from parallel text to a model, in a given time.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/json_members.h"
#include "heed/kernels/instructions.h"
#include "make/make_options.h"
#include "make/make_page.h"
#include "make/make_plan.h"
#include "make/make_record.h"
#include "make/stage_commands.h"
#include "make/stage_runner.h"
#include "make/time_plan.h"
#include "make/training_facts.h"
#include "make/training_rule.h"
#include "program.h"

namespace heed::apps::make {
namespace {

namespace fs = std::filesystem;

const config::CommandHelp kMakeHelp{
    .usage = "heed make (--source FILE --target FILE | --pairs FILE) --model DIR [--hours N] [--for speed] [--plan]",
    .summary =
        R"(Makes a translation model from your text in the time that you give: reports and filters the text, sets
validation and test text aside, measures this machine, chooses the size of the model and its training,
trains, tunes the length penalty, scores the test text, and writes a page about all of it, DIR/make.html.
Each stage is an ordinary command of heed and is printed. DIR is then a model directory for `heed translate`.
Killed at any moment, the same command continues; finished stages are not done again.)",
    .examples = R"(  heed make --source a.en --target a.de --model models/en-de --hours 2
  heed make --pairs a.tsv b.tmx --model models/en-de --plan          # what it would do, with times
  heed make --pairs pages.tsv --source-field 3 --target-field 4 --document-field 1 --model models/help
  heed make --source a.en --target a.de --test-source t.en --test-target t.de --model models/en-de
  heed make --source a.en --target a.de --model models/small --hours 4 --for speed)",
    .common = {"source", "target", "pairs", "model", "hours", "for", "plan", "valid-source", "valid-target",
               "test-source", "test-target", "source-field", "target-field", "document-field", "config", "threads"},
    .closing = "docs/learn/your-own-text.md is a tutorial with real text; docs/guide/make.md explains the choices.",
};

template <class T>
T from_json(const Json& json) {
  return read_json<T>(JsonMembers(json));
}

int64_t lines_of(const std::string& path) {
  LineReader reader(path, InvalidText::Keep);
  int64_t lines = 0;
  for (std::string line; reader.next(line);) ++lines;
  return lines;
}

/// The scores in the lines of `heed evaluate`, "... = 37.82 ...".
std::vector<double> scores_in(const std::string& path) {
  std::vector<double> scores;
  for (const std::string& line : read_lines(path)) {
    const size_t place = line.find(" = ");
    if (place != std::string::npos) scores.push_back(std::strtod(line.c_str() + place + 3, nullptr));
  }
  return scores;
}

/// All stages of one model directory.
class Maker {
 public:
  Maker(const MakeOptions& options, const MakeInput& input, MakeRecord& record)
      : options_(options),
        input_(input),
        record_(record),
        all_seconds_(3600 * options.hours),
        commands_(options, input),
        runner_(record, all_seconds_) {}

  void make() {
    prepare_text();
    measure();
    require_time();
    if (options_.goal == MakeGoal::Speed) train_teacher();
    train_model();
    tune_length_penalty();
    score_test_text();
    write_page();
  }

 private:
  double left() const { return all_seconds_ - record_.seconds(); }
  void run(const Stage& stage) { runner_.run(stage); }

  void prepare_text() {
    run(commands_.report());
    run(commands_.filter());
    const int64_t held_out =
        record_.decision("held-out-pairs", [&] { return Json(held_out_pairs(input_.pairs, all_seconds_)); });
    for (const Stage& stage : commands_.split(held_out)) run(stage);
    const Json sizes = record_.decision("text", [&] {
      return Json{{"train", lines_of(commands_.target("train"))},
                  {"valid", lines_of(commands_.target("valid"))},
                  {"test", lines_of(commands_.target("test"))}};
    });
    train_pairs_ = sizes["train"];
    held_out_lines_ = sizes["valid"].get<int64_t>() + sizes["test"].get<int64_t>();
    valid_lines_ = sizes["valid"];
  }

  /// From here on the hours are fixed, because the number of training steps follows from them.
  void require_time() {
    if (!record_.has_decided("hours") && left() < kLeastShare * all_seconds_) {
      throw Error(
          fmt::format("{} of {} were over before the training could begin: the same command with more `--hours` "
                      "continues",
                      format_duration(record_.seconds()), format_duration(all_seconds_)));
    }
    record_.decision("hours", [&] { return Json(options_.hours); });
  }

  /// Writes a configuration file, which is the same whenever it is written.
  std::string write_settings(const std::string& name, const TrainingPlan& plan) const {
    const std::string path = commands_.made(name + ".toml");
    write_file(path, settings_of(plan));
    return path;
  }

  /// Trains for a few seconds. Returns what was seen, which is recorded.
  Json measured(const std::string& name, const TrainingPlan& plan, double seconds) {
    const std::string tokenizers = commands_.made("measure/tiny");
    const bool learns = name == "tiny";
    std::error_code ignored;
    if (!record_.has("measure-" + name))
      fs::remove_all(commands_.made("measure/" + name), ignored);  // of a killed start
    run(commands_.measure(name, write_settings("measure-" + name, plan), sample_, learns ? "" : tokenizers, seconds));
    return record_.decision("measured-" + name, [&] {
      const TrainingFacts facts = read_training_facts(commands_.made("measure/" + name));
      return Json{{"tokens-per-second", facts.tokens_per_second},
                  {"steps-per-second", facts.steps_per_second},
                  {"tokens-per-pair", facts.epoch_tokens / static_cast<double>(sample_pairs())},
                  {"steps-per-pair", facts.epoch_steps / static_cast<double>(sample_pairs())},
                  {"start-seconds", std::max(0.0, record_.stages().back().seconds - facts.elapsed)}};
    });
  }
  int64_t sample_pairs() const { return std::min(train_pairs_, kMostSample); }

  /// Measures the sizes for which the text is large enough, from small to large, and chooses one.
  void measure() {
    sample_ = train_pairs_ > kMostSample ? "sample" : "train";
    if (train_pairs_ > kMostSample) run(commands_.sample(kMostSample));
    const Json decided = record_.decision("size", [&] { return choose_size(); });
    sizes_ = from_json<TrainingPlan>(decided["plan"]);
    text_tokens_ = decided["text-tokens"];
    tokens_per_second_ = decided["tokens-per-second"];
    smallest_per_second_ = decided["smallest-tokens-per-second"];
    start_seconds_ = decided["start-seconds"];
  }

  Json choose_size() {
    const double seconds = measuring_seconds(all_seconds_);
    TrainingPlan plan{.vocabulary = vocabulary_size(train_pairs_), .tokenize = input_.tokenize};
    Json speed = measured(plan.size, plan, seconds);
    if (!(speed["tokens-per-second"].get<double>() > 0)) {
      throw Error(fmt::format("the text or the machine is too small to train: not two steps in {}; see {}",
                              format_duration(seconds), commands_.made("measure-tiny.log")));
    }
    const double text_tokens = speed["tokens-per-pair"].get<double>() * static_cast<double>(train_pairs_);
    if (kernels::vector_instructions().find("BF16") != std::string::npos) {
      TrainingPlan rounded = plan;
      rounded.precision = "bf16";
      const Json faster = measured("tiny-bf16", rounded, seconds);
      if (faster["tokens-per-second"].get<double>() > kWorthRounding * speed["tokens-per-second"].get<double>()) {
        plan = rounded;
        speed = faster;
      }
    }
    const double smallest = speed["tokens-per-second"],
                 start = record_.decision("measured-tiny", [] { return Json(); })["start-seconds"];
    double per_second = smallest;
    for (const ModelSize& size : std::span(kModelSizes).subspan(1)) {
      TrainingPlan larger = plan;
      larger.size = size.name;
      larger.decoder_layers = size.layers;
      const double needed = needed_tokens(size, text_tokens);
      // A larger size is slower, so it is not measured if not even this one would have the time.
      if (!has_text_for(size, text_tokens) || per_second * training_time() < needed) break;
      const double measured_speed = measured(larger.size, larger, seconds)["tokens-per-second"];
      if (measured_speed * training_time() < needed) break;
      plan = larger;
      per_second = measured_speed;
    }
    return {{"plan", json_of(plan)},
            {"text-tokens", text_tokens},
            {"tokens-per-second", per_second},
            {"smallest-tokens-per-second", smallest},
            {"start-seconds", start}};
  }
  double training_time() const { return left() * (options_.goal == MakeGoal::Speed ? kTeacherShare : 1); }

  /// The speed of a plan. The number of steps follows from it, so a moment in which the machine had other work must not
  /// decide: if it is much lower than that of the plan's size, it is measured again, and the higher one counts.
  Json measured_twice_if_slow(const std::string& name, const TrainingPlan& plan) {
    const double seconds = 1.5 * measuring_seconds(all_seconds_);
    const double expected = tokens_per_second_ / (plan.r_drop > 0 ? 2 : 1);
    Json speed = measured(name, plan, seconds);
    if (speed["tokens-per-second"].get<double>() > kPlausible * expected) return speed;
    Json again = measured(name + "-again", plan, seconds);
    return again["tokens-per-second"] > speed["tokens-per-second"] ? again : speed;
  }

  /// The plan of a training that takes `seconds` with all that belongs to it.
  TrainingPlan plan_training(const std::string& name, TrainingPlan plan, double seconds) {
    TrainingBudget budget{.text_tokens = text_tokens_, .seconds = seconds, .tokens_per_second = tokens_per_second_};
    choose_training(plan, budget);
    plan = from_json<TrainingPlan>(record_.decision(name + "-options", [&] { return json_of(plan); }));
    const Json speed = measured_twice_if_slow(name, plan);
    const double per_line = speed["tokens-per-pair"];
    const Json decided = record_.decision(name, [&] {
      const double validation = validation_seconds(valid_lines_, per_line, tokens_per_second_);
      const double used = record_.seconds() - begin_;
      // The last two validations come after the limit.
      const double limit = std::max(1.0, seconds - used - start_seconds_ - std::min(2 * validation, 0.1 * seconds));
      const int64_t validations = std::clamp<int64_t>(std::llround(kValidationShare * limit / validation), 2, 10);
      TrainingBudget steps = budget;
      steps.seconds = std::max(0.5 * limit, limit - static_cast<double>(validations) * validation);
      choose_steps(plan, steps, speed["steps-per-second"],
                   speed["steps-per-pair"].get<double>() * static_cast<double>(train_pairs_), validations);
      plan.minutes = limit / 60;
      return Json{{"plan", json_of(plan)},
                  {"reasons", reasons_for(plan, budget)},
                  {"end", record_.seconds() + limit + start_seconds_ + kLate * all_seconds_}};
    });
    end_ = decided["end"];
    return from_json<TrainingPlan>(decided["plan"]);
  }

  void train(const std::string& name, const std::string& model, const TrainingPlan& plan, const std::string& target) {
    const std::string settings = write_settings(name, plan);
    run(commands_.train(name, model, settings, target, end_));
    const TrainingFacts facts = read_training_facts(model);
    if (!facts.finished) run(commands_.end_training(name + "-end", model, std::max(kShortest, facts.elapsed / 60)));
  }

  void train_teacher() {
    begin_ = record_.decision("teacher-begin", [&] { return Json(record_.seconds()); });
    const double seconds = record_.decision("teacher-seconds", [&] { return Json(kTeacherShare * left()); });
    const TrainingPlan plan = plan_training("teacher", sizes_, seconds);
    train("teacher-training", commands_.teacher(), plan, commands_.target("train"));
    distill();
    // The student has a shallow decoder, which is where translating spends its time.
    sizes_.size = kModelSizes[0].name;
    sizes_.decoder_layers = 1;
    tokens_per_second_ = smallest_per_second_;
  }

  /// The teacher translates the training text.
  void distill() {
    const std::string output = commands_.made("teacher-valid." + input_.target_ending);
    run(commands_.translate("teacher-valid", "how fast the larger model translates", commands_.teacher(),
                            commands_.source("valid"), output));
    const Json beam = record_.decision("teacher-beam", [&] {
      const double seconds = record_.stages().back().seconds;
      const double all =
          seconds * static_cast<double>(train_pairs_) / static_cast<double>(std::max<int64_t>(1, valid_lines_));
      return Json(all < kDistillingShare * all_seconds_ ? 5 : 1);
    });
    run(commands_.distill({"--search.beam", fmt::format("{}", beam.get<int>()), "--precision", "auto"}));
  }

  void train_model() {
    const bool student = options_.goal == MakeGoal::Speed;
    begin_ = record_.decision("training-begin", [&] { return Json(record_.seconds()); });
    const double seconds = record_.decision("training-seconds", [&] {
      const double per_line = text_tokens_ / static_cast<double>(std::max<int64_t>(1, train_pairs_));
      const double after = seconds_after_training(held_out_lines_, per_line, tokens_per_second_);
      return Json(left() - std::min(after, kMostAfterTraining * left()));
    });
    const TrainingPlan plan = plan_training("model", sizes_, seconds);
    train("training", options_.model, plan, commands_.target(student ? "distilled" : "train"));
  }

  void tune_length_penalty() {
    constexpr std::array kAlphas{"1", "0.6", "1.4"};  // the first is the default
    Words systems;
    for (const std::string alpha : kAlphas) {
      systems.push_back(commands_.made(fmt::format("valid-{}.{}", alpha, input_.target_ending)));
      run(commands_.translate("valid-" + alpha, "the validation text with a length penalty of " + alpha, options_.model,
                              commands_.source("valid"), systems.back(), {"--search.length-alpha", alpha}));
      // The others are tried if there is time for them and as long for the test text.
      const Json tries = record_.decision("tries-length-penalties", [&] {
        return Json(left() > static_cast<double>(kAlphas.size()) * record_.stages().back().seconds);
      });
      if (!tries.get<bool>()) return log_info("no time for other length penalties: 1 stays");
    }
    const std::string scores = commands_.made("length-penalty.txt");
    run(commands_.evaluate("length-penalty", "the scores of each", "valid", systems, scores, {"--decimals", "2"}));
    const std::string best = record_.decision("length-penalty", [&] {
      const std::vector<double> found = scores_in(scores);
      check(found.size() == kAlphas.size(), "a score for each length penalty");
      constexpr double kClear = 0.1;  // BLEU: less is chance
      size_t chosen = 0;
      for (size_t i = 1; i < found.size(); ++i) {
        if (found[i] > found[0] + kClear && found[i] > found[chosen]) chosen = i;
      }
      return Json(kAlphas[chosen]);
    });
    if (best != "1") run(commands_.set_length_penalty(best));
  }

  void score_test_text() {
    const std::string output = commands_.made("test." + input_.target_ending);
    run(commands_.translate("test", "the test text", options_.model, commands_.source("test"), output));
    Words systems{output};
    if (options_.goal == MakeGoal::Speed) {
      systems.push_back(commands_.made("teacher-test." + input_.target_ending));
      run(commands_.translate("teacher-test", "the same by the larger model", commands_.teacher(),
                              commands_.source("test"), systems.back()));
    }
    run(commands_.evaluate("scores", "the scores with 95% confidence intervals", "test", systems,
                           commands_.made("scores.txt"),
                           {"--metric", "bleu", "--metric", "chrf", "--significance", "confidence"}));
    run(commands_.evaluate("evaluation", "a page with all test sentences", "test", systems,
                           commands_.made("evaluation.txt"),
                           {"--source", commands_.source("test"), "--frequencies", commands_.target("train"),
                            "--report", commands_.made("evaluation.html")}));
    run({.name = "training-page",
         .purpose = "the page of the training",
         .words = {"report", options_.model},
         .output_file = commands_.made("report.txt")});
  }

  void write_page() {
    const std::string path = options_.model + "/make.html";
    write_file(path, make_page({.options = options_, .input = input_, .record = record_, .commands = commands_}));
    std::error_code ignored;
    fs::remove_all(commands_.made("measure"), ignored);
    log_info(fmt::format("{} is ready after {} of {}; what to do next:", options_.model,
                         format_duration(record_.seconds()), format_duration(all_seconds_)));
    log_info(fmt::format("  {} < your-text > translations", shell_line({"translate", "--model", options_.model})));
    log_info(fmt::format("  open {} in a browser", path));
    print(read_file(commands_.made("scores.txt")));
  }

  static constexpr double kPlausible = 0.5;          // of the speed of the size, with smaller batches
  static constexpr double kValidationShare = 0.1;    // of a training
  static constexpr double kMostAfterTraining = 0.3;  // of the time that is left
  static constexpr double kShortest = 0.01;          // minutes
  static constexpr double kLate = 0.02;              // of the time: only kills make a training so late
  static constexpr double kLeastShare = 0.25;        // of the time must be left for the training and what follows it
  static constexpr int64_t kMostSample = 100'000;    // pairs
  static constexpr double kWorthRounding = 1.15;     // bf16 must be faster than fp32 by this factor

  const MakeOptions& options_;
  const MakeInput& input_;
  MakeRecord& record_;
  double all_seconds_;
  StageCommands commands_;
  StageRunner runner_;

  int64_t train_pairs_ = 0, valid_lines_ = 0, held_out_lines_ = 0;
  std::string sample_;              // the part of the text with which speed is measured
  TrainingPlan sizes_;              // what is chosen by measuring
  double text_tokens_ = 0;          // target tokens of the training text
  double tokens_per_second_ = 0;    // of the chosen size
  double start_seconds_ = 0;        // until the first step of a training, tokenizers included
  double smallest_per_second_ = 0;  // of the smallest size
  double begin_ = 0;                // seconds at which planning the current training began
  double end_ = 0;                  // seconds at which it must end
};

/// Throws ConfigError if the directory has files of something else.
void require_own_directory(const std::string& directory) {
  if (!fs::exists(directory) || !MakeRecord::read(directory).is_null()) return;
  if (!fs::is_directory(directory))
    throw ConfigError("--model", fmt::format("must be a directory, but {} is a file", directory));
  const auto is_foreign = [](const fs::directory_entry& entry) { return entry.path().filename() != "make"; };
  if (std::ranges::none_of(fs::directory_iterator(directory), is_foreign)) return;
  throw ConfigError("--model",
                    fmt::format("must be a new directory, or one that heed make began; {} has other files", directory));
}

/// Lets `heed train` check the configuration files before hours of work. Throws StageEnded; the command has printed
/// why.
void check_settings(const std::vector<std::string>& files) {
  if (files.empty()) return;
  const Words words = [&] {
    Words all{"train", "--config"};
    all.insert(all.end(), files.begin(), files.end());
    all.emplace_back("--help");
    return all;
  }();
  const StopSignals signals;
  const ChildEnd end = run_child(words, {.output = "/dev/null"}, signals, [] { return false; });
  if (end.code != 0) throw StageEnded("the configuration files are wrong", end.code);
}

int make_model(MakeOptions& options) {
  expand_folders(options);
  const MakeInput input = read_input(options);
  require_own_directory(options.model);
  check_settings(options.config);
  if (options.plan) {
    print(plan_text(options, input));
    return 0;
  }
  MakeRecord record(options.model, input.request);
  record.require_outputs();
  try {
    Maker(options, input, record).make();
  } catch (const StageEnded&) {
    record.discard_if_nothing_is_finished();
    throw;
  }
  return 0;
}

int run_make(MakeOptions& options, const config::Arguments&) {
  try {
    return make_model(options);
  } catch (const StageEnded& end) {
    if (end.is_stop()) log_info(end.what());
    return end.code();
  }
}

}  // namespace
}  // namespace heed::apps::make

namespace heed::apps {

config::Command make_command() {
  return with_options<make::MakeOptions>({.name = "make", .help = make::kMakeHelp}, make::run_make);
}

}  // namespace heed::apps
