
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include "heed/command_line/option_list.h"
#include "heed/search/search_options.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/resume_rules.h"
#include "heed_torch/training/training_state.h"
#include "heed_torch/training/validation_search.h"

namespace heed::config {
namespace {

using Settings = std::map<std::string, std::string>;

RunOptions run_with(const Settings& settings) {
  std::vector<Setting> given;
  for (const auto& [name, value] : settings) given.push_back({.name = name, .values = {value}});
  for (const char* name : {"source", "target", "valid-source", "valid-target", "model"}) {
    given.push_back({.name = name, .values = {"m"}});
  }
  return read_run_options({}, given);
}

/// Another value than `before`.
std::string other_value(const OptionEntry& option, const std::string& before) {
  if (option.kind == ValueKind::Flag) return before == "true" ? "false" : "true";
  if (!option.choices.empty()) return *std::ranges::find_if(option.choices, [&](const auto& o) { return o != before; });
  for (const std::string value : {"2", "3", "0.5", "0.25", "200", "other"}) {
    if (value != before && option.fits(std::array{value})) return value;
  }
  ADD_FAILURE() << "no value of " << option.name << " is known: give this test one";
  return before;
}

/// The described options of a section, each with settings under which it applies and with another value of it.
struct Trial {
  std::string name;
  Settings before, after;
};
std::vector<Trial> trials_of(const std::string& section, const VisitOptions& walk, const Settings& base) {
  std::vector<Trial> trials;
  for (const OptionEntry& option : list_options(walk).options) {
    for (const Place& place : option.places) {
      Trial trial{.name = section + option.name, .before = base, .after = {}};
      for (const Condition& condition : place.conditions) trial.before[section + condition.choice] = condition.value;
      trial.after = trial.before;
      trial.after[trial.name] = other_value(option, place.default_value);
      trials.push_back(trial);
    }
  }
  return trials;
}

/// Whether a training that is resumed so looks for the best checkpoint among the new scores.
bool is_noticed(const Trial& trial) {
  const RunOptions before = run_with(trial.before), now = run_with(trial.after);
  const auto changes = option_changes(before, now);
  const auto change = std::ranges::find(changes, trial.name, &training::OptionChange::option);
  EXPECT_NE(change, changes.end()) << trial.name;
  const bool said = change != changes.end() && change->effect.find("cannot be compared") != std::string::npos;
  EXPECT_EQ(said, state_conditions(before, {}).scores != state_conditions(now, {}).scores) << trial.name;
  return said;
}

/// Why scores do not depend on an option of search.
const std::map<std::string, std::string> kReasons{
    {"search.beam", "validation has valid.beam"},
    {"search.method", "validation uses beam search"},
    {"search.temperature", "of sampling"},
    {"search.top-k", "of sampling"},
    {"search.top-p", "of sampling"},
    {"search.epsilon", "of sampling"},
    {"search.seed", "of sampling"},
    {"search.n-best", "validation takes the best translation"},
    {"search.groups", "they make n-best lists diverse"},
    {"search.diversity", "they make n-best lists diverse"},
    {"search.batch-sentences", "batches change the last digits at most"},
    {"search.batch-tokens", "batches change the last digits at most"},
    {"search.continuous-batching", "batches change the last digits at most"},
    {"search.buffer-lines", "batches change the last digits at most"},
    {"search.workers", "batches change the last digits at most"},
};

TEST(ScoreOptions, NoticeEveryOptionOfSearchOrHaveAReasonNotTo) {
  TranslateOptions defaults;
  Settings found;
  for (const std::string metric : {"bleu", "chrf", "wer"}) {
    const Settings base{{"valid.metric", metric}, {"valid.beam", "4"}};
    for (const Trial& trial : trials_of("search.", visit_options(defaults), base)) {
      found[trial.name];
      EXPECT_EQ(is_noticed(trial), !kReasons.contains(trial.name)) << trial.name << " with " << metric;
    }
  }
  for (const auto& reason : kReasons) EXPECT_TRUE(found.contains(reason.first)) << reason.first << " is no option";
  EXPECT_GE(found.size(), 25u);
}

TEST(ScoreOptions, OfAGreedySearchDependOnNoScoreOfHypotheses) {
  TranslateOptions defaults;
  for (const Trial& trial : trials_of("search.", visit_options(defaults), {{"valid.beam", "1"}})) {
    const bool of_scores = trial.name.starts_with("search.length-") || trial.name == "search.word-reward" ||
                           trial.name == "search.coverage-penalty";
    if (of_scores) {
      EXPECT_FALSE(is_noticed(trial)) << trial.name;
    }
    if (trial.name == "search.stop" || trial.name == "search.patience") {
      EXPECT_TRUE(is_noticed(trial)) << trial.name << ": several hypotheses are finished, and compared";
    }
  }
}

TEST(ScoreOptions, NoticeEveryOptionOfValidationOrHaveAReasonNotTo) {
  const std::map<std::string, std::string> reasons{
      {"valid.every", "when there are scores"}, {"valid.patience", "judges scores"},
      {"valid.min-delta", "judges scores"},     {"valid.batch-tokens", "changes the last digits at most"},
      {"valid.samples", "shows translations"},
  };
  training::ValidationOptions defaults;
  for (const Trial& trial : trials_of("valid.", visit_options(defaults), {{"valid.metric", "bleu"}})) {
    if (trial.name == "valid.translate") continue;  // it needs another valid.metric, which is noticed
    EXPECT_EQ(is_noticed(trial), !reasons.contains(trial.name)) << trial.name;
  }
}

TEST(ScoreOptions, NoticeOptionsOfBleuOnlyWhereItDecides) {
  metrics::BleuOptions defaults;
  for (const Trial& trial : trials_of("valid.", visit_options(defaults), {{"valid.metric", "chrf"}})) {
    EXPECT_FALSE(is_noticed(trial)) << trial.name;
  }
}

TEST(ScoreOptions, OfTheLossDependOnNoSearch) {
  TranslateOptions defaults;
  for (const Trial& trial :
       trials_of("search.", visit_options(defaults), {{"valid.metric", "loss"}, {"valid.beam", "4"}})) {
    EXPECT_FALSE(is_noticed(trial)) << trial.name;
  }
}

/// A text has these checksums.
const std::map<std::string, std::string> kSums{{"valid-source file 1", "5a"}, {"valid-target file 1", "5b"}};

/// The terms that versions before score_options() saved: some options by name, in the order of the command line.
std::string scores_of_older_version(const RunOptions& options) {
  const auto* translated = std::get_if<training::TranslateValidText>(&options.valid.translate);
  const bool greedy = translated && translated->beam == 1;
  const auto is_saved = [&](const std::string& name) {
    if (name == "valid.metric" || name == "data.context") return true;
    if (!training::is_of_translations(options.valid.metric)) return false;
    if (name == "valid.beam" || name.starts_with("search.max-length-") || name == "search.min-length" ||
        name == "search.unknown" || (!greedy && name.starts_with("search.length-")))
      return true;
    return options.valid.metric == training::ValidationMetric::Bleu &&
           (name.starts_with("valid.tokenize") || name == "valid.lowercase" || name.starts_with("valid.smooth"));
  };
  RunOptions walked = options;
  std::string terms;
  for (const OptionValue& option : option_values(visit_options(walked))) {
    if (is_saved(option.name))
      terms += fmt::format("{}{} {}", terms.empty() ? "" : ", ", option.name, fmt::join(option.values, " "));
  }
  for (const auto& [name, sum] : kSums) terms += fmt::format(", {} {}", name, sum);
  return terms;
}

/// Whether a checkpoint of the older version that was trained as `before` resumes with its scores as `now`.
bool resumes_older(const RunOptions& before, const RunOptions& now, const std::map<std::string, std::string>& text) {
  return training::same_conditions(scores_of_older_version(before), state_conditions(before, kSums).scores,
                                   state_conditions(now, text).scores);
}

TEST(ScoreOptions, OfAnOlderVersionHoldUntilAnOptionOrTheTextChanges) {
  TranslateOptions search;
  training::ValidationOptions valid;
  int64_t noticed = 0;
  for (const std::string metric : {"bleu", "chrf", "wer", "loss"}) {
    for (const std::string beam : {"1", "4"}) {
      const Settings base{{"valid.metric", metric}, {"valid.beam", beam}};
      std::vector<Trial> trials = trials_of("search.", visit_options(search), base);
      if (metric != "loss") {
        for (const Trial& trial : trials_of("valid.", visit_options(valid), base)) {
          if (trial.name != "valid.translate") trials.push_back(trial);
        }
      }
      for (const Trial& trial : trials) {
        const RunOptions before = run_with(trial.before), now = run_with(trial.after);
        EXPECT_TRUE(resumes_older(before, before, kSums)) << scores_of_older_version(before);
        EXPECT_EQ(resumes_older(before, now, kSums), !is_noticed(trial)) << trial.name << " with " << metric;
        noticed += resumes_older(before, now, kSums) ? 0 : 1;
      }
    }
  }
  EXPECT_GT(noticed, 50);
  const RunOptions plain = run_with(Settings{});
  for (const auto& text :
       {std::map<std::string, std::string>{}, {{"valid-source file 1", "5a"}, {"valid-target file 1", "6"}}}) {
    EXPECT_FALSE(resumes_older(plain, plain, text));
  }
}

/// The values of an option that combinations are made of.
TEST(ValidationSearch, AcceptsWhateverAModelsTranslationsMayHave) {
  int64_t accepted = 0;
  for (const int64_t beam : {1, 2, 4, 6}) {
    for (const int64_t groups : {1, 2, 3, 4}) {
      for (const int64_t n_best : {1, 2, 4}) {
        for (const double patience : {0.001, 0.5, 1.0, 2.0}) {
          for (const bool samples : {false, true}) {
            search::SearchOptions options{
                .beam = beam, .n_best = n_best, .stop = search::StopAtCount{patience}, .groups = groups};
            if (samples) options.method = search::SampleMethod{};
            try {
              search::validate(options);
            } catch (const std::exception&) {
              continue;
            }
            ++accepted;
            for (const int64_t valid_beam : {1, 2, 3, 5, 1000}) {
              const auto used = training::validation_search(options, valid_beam);
              EXPECT_NO_THROW(search::validate(used));
              EXPECT_EQ(used.beam, valid_beam);
              EXPECT_EQ(search::as_groups(used).beam, valid_beam) << "the beam that the log names";
            }
          }
        }
      }
    }
  }
  EXPECT_GT(accepted, 50);
}

}  // namespace
}  // namespace heed::config
