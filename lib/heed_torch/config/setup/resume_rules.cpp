#include "heed_torch/config/setup/resume_rules.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/option_list.h"

namespace heed::config {
namespace {

/// listed: an exact name, a section with its dot, or the common beginning of several names with its hyphen.
bool covers(std::string_view listed, std::string_view name) {
  const bool several = listed.ends_with('.') || listed.ends_with('-');
  return several ? name.starts_with(listed) : name == listed;
}

bool is_any_of(std::span<const std::string_view> listed, std::string_view name) {
  return std::ranges::any_of(listed, [&](std::string_view one) { return covers(one, name); });
}

/// Paths may change: text is compared by content.
// clang-format off
constexpr auto kPlaces = std::to_array<std::string_view>(
    {"source", "source-vectors", "source-images", "source-audio", "target", "pairs", "weights", "alignments", "valid-source", "valid-source-vectors", "valid-source-images", "valid-source-audio", "valid-target",
     "valid-pairs", "model"});
// clang-format on

struct KeptOption {
  std::string_view name;  ///< see covers()
  std::string_view reason;
};

constexpr std::string_view kOfVocabulary = "the vocabulary follows from it";
constexpr std::string_view kOfCorpus = "which pairs are trained on follows from it";
constexpr std::string_view kOfBegin = "only a training that begins has it";
constexpr auto kKept = std::to_array<KeptOption>({
    {"preset", "it names the values that the training began with"},
    {"task", "it decides what the network is for"},
    {"from", "the first parameters or the tokenizers came from it"},
    {"from-part", "it decides what the training began with"},
    {"seed", "the first parameters came from it, and the order of the text does"},
    {"text.", kOfVocabulary},
    {"weight-column", kOfCorpus},
    {"data.shuffle-buffer", "a position in stored text has no counterpart in a stream"},
    {"data.max-source-length", kOfCorpus},
    {"data.max-target-length", kOfCorpus},
    {"data.invalid-text", kOfCorpus},
    {"data.quotes", kOfCorpus},
    {"data.header", kOfCorpus},
    {"data.bad-rows", kOfCorpus},
    {"data.max-length-ratio", kOfCorpus},
    {"data.identical-sides", kOfCorpus},
    {"data.source-script", kOfCorpus},
    {"data.target-script", kOfCorpus},
    {"data.duplicates", kOfCorpus},
    {"data.leaking", kOfCorpus},
    {"images.", kOfCorpus},
    {"audio.", kOfCorpus},
    {"arch.decoder.cross.alignment-", "guided alignment has trained that attention"},
    {"arch.initialization.", kOfBegin},
    {"arch.decoder.initial-scale", kOfBegin},
    {"arch.", "the saved parameters are those of another network"},
    {"vectors.", "only a training that begins takes vectors in"},
    {"train.freeze", "the saved optimizer remembers those that were trained"},
    {"train.adapter.", "the saved parameters are those of another adapter"},
    {"train.optimizer.type", "what the saved optimizer remembers is of another kind"},
    {"train.optimizer.initial-accumulator", kOfBegin},
    {"train.optimizer.momentum", "the saved optimizer remembers the steps of momentum only with it"},
});

/// Whether an option of the kept sections only affects the next steps.
bool only_steers_steps(const Difference& difference) {
  const std::string_view name = difference.name;
  if (name.ends_with("dropout") || covers("text.sampling", name) || covers("text.sampling-", name)) return true;
  if (name == "train.optimizer.type")
    return difference.before.starts_with("adam") && difference.after.starts_with("adam");
  if (name == "data.shuffle-buffer") return difference.before != "none" && difference.after != "none";
  if (name == "train.optimizer.momentum") return difference.before != "0" && difference.after != "0";
  return false;
}

/// Options only for rows of pairs.
constexpr auto kOfRows =
    std::to_array<std::string_view>({"weight-column", "data.quotes", "data.header", "data.bad-rows"});

/// Why an option must stay as it was; empty: it need not.
std::string_view reason_to_keep(const Difference& difference) {
  if (only_steers_steps(difference)) return {};
  const auto kept =
      std::ranges::find_if(kKept, [&](const KeptOption& option) { return covers(option.name, difference.name); });
  return kept == kKept.end() ? std::string_view() : kept->reason;
}

std::vector<Difference> differences_of(RunOptions before, RunOptions now) {
  auto found = differences(visit_options(before), visit_options(now));
  std::erase_if(found, [](const Difference& difference) { return is_any_of(kPlaces, difference.name); });
  return found;
}

std::string shown(const std::string& value) { return value.empty() ? "nothing" : value; }

constexpr auto kOfOrder = std::to_array<std::string_view>(
    {"data.context", "data.batch-tokens", "data.batch-growth-epochs", "data.initial-batch-tokens",
     "data.curriculum-epochs", "data.shuffle-window", "data.corpus-weights", "data.batch-size", "data.bptt-length"});
/// Conditions saved for stored text do not name the shuffle buffer.
bool is_of_order(std::string_view name, const RunOptions& options) {
  if (name == "data.shuffle-buffer") return data::shuffle_buffer_of(options.data.stream).has_value();
  return is_any_of(kOfOrder, name);
}

constexpr auto kOfPlateau =
    std::to_array<std::string_view>({"train.schedule.type", "train.schedule.learning-rate", "train.schedule.factor"});

bool has_plateau(const RunOptions& options) {
  return std::holds_alternative<training::PlateauSchedule>(options.train.schedule);
}

constexpr const char* kBestAnew =
    "scores before and after cannot be compared: the search for the best model starts again";

/// What a resumed training does because of the change. of_scores: the options that make scores incomparable.
std::string effect_of(const std::string& name, const RunOptions& now, const std::set<std::string>& of_scores) {
  if (of_scores.contains(name)) return kBestAnew;
  if (is_of_order(name, now)) return "the rest of the epoch is in another order";
  if (has_plateau(now) && is_any_of(kOfPlateau, name)) return "the learning rate starts again and has not fallen yet";
  return {};
}

/// "valid.metric bleu, valid.beam 1": the options for which `wanted` is true.
template <class Wanted>
std::string values_of(const RunOptions& options, Wanted wanted) {
  RunOptions walked = options;
  std::vector<std::string> values;
  for (const OptionValue& option : option_values(visit_options(walked))) {
    if (wanted(option.name)) values.push_back(fmt::format("{} {}", option.name, fmt::join(option.values, " ")));
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

}  // namespace

std::vector<std::string> conflicts(const RunOptions& before, const RunOptions& now) {
  // They may change for validation text. Training text of another form is refused with its reason (start_rules.h).
  const bool trains_on_rows = !before.corpus.pairs.empty() && !now.corpus.pairs.empty();
  std::vector<std::string> found;
  for (const Difference& difference : differences_of(before, now)) {
    if (!trains_on_rows && is_any_of(kOfRows, difference.name)) continue;
    // Options come and go with the choice of another alternative, which says it all.
    const std::string_view reason = difference.shared ? reason_to_keep(difference) : std::string_view();
    if (reason.empty()) continue;
    found.push_back(fmt::format("`{}` (was {}, is {}: {})", difference.name, shown(difference.before),
                                shown(difference.after), reason));
  }
  return found;
}

std::vector<training::OptionChange> option_changes(const RunOptions& before, const RunOptions& now) {
  const std::set<std::string> of_scores = different_options(score_options(before), score_options(now));
  std::vector<training::OptionChange> changes;
  for (const Difference& difference : differences_of(before, now)) {
    if (difference.after.empty() && !difference.shared) continue;  // it went with its alternative, which is reported
    changes.push_back({.option = difference.name,
                       .before = difference.shared ? shown(difference.before) : "",
                       .now = shown(difference.after),
                       .effect = effect_of(difference.name, now, of_scores)});
  }
  return changes;
}

training::OptionChange validation_text_change(const RunOptions& before, const RunOptions& now) {
  const auto names = [](const data::CorpusFiles& files) {
    return fmt::format("{}", fmt::join(files.pairs.empty() ? files.target : files.pairs, " "));
  };
  const std::string was = names(before.valid_corpus);
  const std::string is = names(now.valid_corpus);
  return {.option = now.valid_corpus.pairs.empty() ? "valid-target" : "valid-pairs",
          .before = was == is ? "other lines" : was,
          .now = is,
          .effect = kBestAnew};
}

training::StateConditions state_conditions(const RunOptions& options,
                                           const std::map<std::string, std::string>& valid_text) {
  training::StateConditions conditions{
      .order = values_of(options, [&](std::string_view name) { return is_of_order(name, options); }),
      .schedule = has_plateau(options)
                      ? values_of(options, [](std::string_view name) { return is_any_of(kOfPlateau, name); })
                      : "",
      .precision = values_of(options, [](std::string_view name) { return name == "train.precision"; })};
  ScoreOptions scores = score_options(options);
  scores.insert(scores.end(), valid_text.begin(), valid_text.end());
  for (const auto& [name, value] : scores) {
    // Older versions saved its path under its name, which compares with nothing here.
    const char* kind = name == "valid.tokenizer-model" ? "-content" : "";
    conditions.scores += fmt::format("{}{}{} {}", conditions.scores.empty() ? "" : ", ", name, kind, value);
  }
  return conditions;
}

}  // namespace heed::config
