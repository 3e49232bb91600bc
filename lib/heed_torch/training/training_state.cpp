#include "heed_torch/training/training_state.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "heed/command_line/former_names.h"
#include "heed/core/error.h"
#include "heed/core/text/json_members.h"
#include "heed/core/text/json_nesting.h"

namespace heed::training {
namespace {

using Conditions = std::map<std::string, std::string, std::less<>>;

/// Options have a section.
bool is_option(std::string_view name) { return name.find('.') != name.npos; }

void add(Conditions& conditions, std::string_view condition) {
  const std::string_view first_word = condition.substr(0, condition.find(' '));
  const size_t end = is_option(first_word) ? first_word.size() : std::min(condition.rfind(' '), condition.size());
  conditions.emplace(config::present_name(condition.substr(0, end)), condition.substr(end));
}

Conditions parsed(std::string_view text) {
  constexpr std::string_view kBetween = ", ";
  Conditions conditions;
  while (!text.empty()) {
    const size_t end = std::min(text.find(kBetween), text.size());
    add(conditions, text.substr(0, end));
    text.remove_prefix(std::min(end + kBetween.size(), text.size()));
  }
  return conditions;
}

std::optional<std::string_view> value_of(const Conditions& conditions, std::string_view name) {
  const auto found = conditions.find(name);
  return found == conditions.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

}  // namespace

bool same_conditions(std::string_view saved, std::string_view before, std::string_view now) {
  if (saved.empty() || now.empty()) return saved == now;
  const Conditions of_saved = parsed(saved), of_before = parsed(before), of_now = parsed(now);
  std::set<std::string_view> names;
  for (const Conditions* conditions : {&of_saved, &of_before, &of_now}) {
    for (const auto& condition : *conditions) names.insert(condition.first);
  }
  return std::ranges::all_of(names, [&](std::string_view name) {
    const auto was = value_of(of_saved, name), between = value_of(of_before, name), is = value_of(of_now, name);
    if (!is_option(name)) return was == is;
    if (!was) return between == is;
    return is ? was == is : !between.has_value();
  });
}

SameConditions same_conditions(const StateConditions& saved, const StateConditions& before,
                               const StateConditions& now) {
  return {.scores = same_conditions(saved.scores, before.scores, now.scores),
          .order = same_conditions(saved.order, before.order, now.order),
          .schedule = same_conditions(saved.schedule, before.schedule, now.schedule),
          .precision = same_conditions(saved.precision, before.precision, now.precision)};
}

std::string to_json(const TrainingState& state) { return json_of(state).dump(2) + "\n"; }

TrainingState read_state(const std::string& text, const std::string& path) {
  if (is_nested_deeper(text)) throw CheckpointError(path, "is not a training state: it " + nested_too_deep());
  const auto json = JsonMembers::Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    throw CheckpointError(path, "is not a training state: it is not a JSON object, or it is truncated");
  try {
    return read_json<TrainingState>(JsonMembers(json));
  } catch (const Error& error) {
    throw CheckpointError(path, fmt::format("is not a training state: {}", error.what()));
  }
}

}  // namespace heed::training
