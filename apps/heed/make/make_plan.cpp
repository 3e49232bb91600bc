#include "make/make_plan.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "heed/core/text/counted.h"
#include "make/make_record.h"
#include "make/stage_commands.h"
#include "make/time_plan.h"
#include "make/training_rule.h"

namespace heed::apps::make {
namespace {

constexpr double kPairsPerSecond = 6000;  // of `heed data report` and `filter`, on one core of an AMD EPYC
constexpr double kTokensPerWord = 1.3;    // about, for European languages

/// Prints the stages one after the other, with numbers.
class Listing {
 public:
  explicit Listing(const Json& made) : made_(made) {}

  void add(const Stage& stage, const std::string& time) {
    const auto finished = [&](const Json& record) { return record["name"] == stage.name; };
    const bool done = !made_.is_null() && std::ranges::any_of(made_["stages"], finished);
    text_ += fmt::format("{:>2}. {}: {} ({})\n      {}\n", ++number_, stage.name, stage.purpose,
                         done ? "finished" : time, shell_line(stage.words));
  }
  const std::string& text() const { return text_; }

 private:
  const Json& made_;
  std::string text_;
  int number_ = 0;
};

std::string about(double seconds) { return "about " + format_duration(std::max(1.0, seconds)); }

/// From which speed on each size is chosen.
std::string sizes_text(double text_tokens, double seconds) {
  std::string text = "The size of the model follows from the speed of this machine:\n";
  for (const ModelSize& size : kModelSizes) {
    text += fmt::format("  {:<6} {} wide, {} + {} layers: ", size.name, size.width, size.layers, size.layers);
    if (!has_text_for(size, text_tokens)) {
      text += fmt::format("no, the text has fewer than {} target tokens\n",
                          format_count(static_cast<int64_t>(size.text_tokens)));
    } else if (size.text_tokens == 0) {
      text += "if no larger one is chosen\n";
    } else {
      text += fmt::format("if it trains on {} target tokens per second or more\n",
                          format_count(static_cast<int64_t>(needed_tokens(size, text_tokens) / seconds) + 1));
    }
  }
  return text;
}

}  // namespace

std::string plan_text(const MakeOptions& options, const MakeInput& input) {
  const double all = 3600 * options.hours;
  const double survey = static_cast<double>(input.pairs) / kPairsPerSecond;
  const double text_tokens = kTokensPerWord * input.target_words;
  const bool student = options.goal == MakeGoal::Speed;
  const StageCommands commands(options, input);
  const Json made = MakeRecord::read(options.model);
  if (!made.is_null()) MakeRecord::require_same(options.model, made, input.request);
  Listing list(made);
  list.add(commands.report(), about(survey));
  list.add(commands.filter(), about(survey));
  for (const Stage& stage : commands.split(held_out_pairs(input.pairs, all))) list.add(stage, about(survey / 4));
  const double measuring = measuring_seconds(all);
  for (const ModelSize& size : kModelSizes) {
    const std::string name(size.name);
    if (!has_text_for(size, text_tokens)) break;
    list.add(commands.measure(name, commands.made("measure-" + name + ".toml"), "train",
                              name == kModelSizes[0].name ? "" : commands.made("measure/tiny"), measuring),
             about(measuring + start_seconds(input.pairs)));
  }
  const double after = std::min(all / 5, 60.0);
  const double rest = all - 2 * survey - 3 * measuring - after;
  if (student) {
    list.add(commands.train("teacher-training", commands.teacher(), commands.made("teacher-training.toml"),
                            commands.target("train"), 0),
             about(rest * kTeacherShare));
    list.add(commands.distill(), "up to " + format_duration(rest * kDistillingShare));
  }
  list.add(commands.train("training", options.model, commands.made("training.toml"),
                          commands.target(student ? "distilled" : "train"), 0),
           student ? "the rest" : about(rest));
  const std::string translations = commands.made("test." + input.target_ending);
  list.add(commands.translate("test", "the length penalty, then the test text", options.model, commands.source("test"),
                              translations),
           about(after));
  list.add(commands.evaluate("scores", "the scores with 95% confidence intervals", "test", {translations},
                             commands.made("scores.txt"), {"--significance", "confidence"}),
           about(1));
  return fmt::format("{} pairs, {} target words: {} in {}\n\n{}\n{}", format_count(input.pairs),
                     format_count(static_cast<int64_t>(input.target_words)), options.model, format_duration(all),
                     list.text(), sizes_text(text_tokens, student ? rest * kTeacherShare : rest));
}

}  // namespace heed::apps::make
