#include "options/option_walk.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heed::options_test {
namespace {

using config::Condition;
using config::OptionEntry;
using config::OptionList;
using config::Place;
using Values = std::vector<std::string>;

/// What settings choose, seen through the list of all options.
class Chosen {
 public:
  Chosen(const OptionList& list, const Settings& settings) : list_(list), settings_(settings) {}

  bool holds(const Condition& condition) const { return value_of(condition.choice) == condition.value; }
  bool hold(const Place& place) const {
    return std::ranges::all_of(place.conditions, [&](const Condition& condition) { return holds(condition); });
  }
  /// The value given, or the default where the option is in force; else absent.
  std::optional<std::string> value_of(const std::string& name) const {
    if (const auto given = settings_.find(name); given != settings_.end() && !given->second.empty()) {
      return fmt::format("{}", fmt::join(given->second, " "));
    }
    for (const OptionEntry& option : list_.options) {
      if (option.name != name) continue;
      for (const Place& place : option.places) {
        if (hold(place)) return place.default_value;
      }
    }
    return std::nullopt;
  }
  bool in_force(const std::string& name) const {
    const auto places = list_.places(name);
    return places.empty() || std::ranges::any_of(places, [&](const Place& place) { return hold(place); });
  }

 private:
  const OptionList& list_;
  const Settings& settings_;
};

/// `settings` with what keeps their alternatives small, without what belongs to alternatives that are not chosen.
Settings fitting(Settings settings, const OptionList& list, const Tables& tables) {
  for (int round = 0; round < 3; ++round) {
    for (const auto& [choice, more, instead] : tables.small) {
      if (!Chosen(list, settings).holds(choice)) continue;
      settings.insert(more.begin(), more.end());
      for (const auto& [name, values] : instead) {
        const auto base = tables.base.find(name);
        if (base != tables.base.end() && settings[name] == base->second) settings[name] = values;
      }
    }
    const Settings before = settings;
    const Chosen chosen(list, before);
    std::erase_if(settings, [&](const auto& setting) { return !chosen.in_force(setting.first); });
  }
  return settings;
}

void overwrite(Settings& settings, const Settings& more) {
  for (const auto& [name, values] : more) settings[name] = values;
}

std::optional<double> number_of(const std::string& text) {
  double value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Another value of a flag or a number.
std::optional<std::string> other_value(const OptionEntry& option, const std::string& before) {
  if (option.kind == ValueKind::Flag) return before == "true" ? "false" : "true";
  if (option.kind != ValueKind::Number && option.kind != ValueKind::WholeNumber) return std::nullopt;
  const double value = number_of(before).value_or(0);
  for (const double candidate : {2 * value, value / 2, value + 1, value - 1, 0.5, 1.0, 2.0}) {
    const std::string text = fmt::format("{}", candidate);
    if (text != before && option.fits(Values{text})) return text;
  }
  return std::nullopt;
}

class Walker {
 public:
  Walker(const OptionList& list, const Tables& tables, const std::string& table)
      : list_(list), tables_(tables), table_(table) {}

  Walked walk() {
    for (const OptionEntry& option : list_.options) {
      for (const Place& place : option.places) try_place(option, place);
    }
    return std::move(walked_);
  }

 private:
  void try_place(const OptionEntry& option, const Place& place) {
    if (is_exempt(option.name, "")) return;
    if (option.choices.empty()) return try_value(option, place, "");
    for (const std::string& name : option.choices) {
      if (!is_exempt(option.name, name)) try_value(option, place, name);
    }
  }

  /// name: of an option with names; else the walk looks for a value.
  void try_value(const OptionEntry& option, const Place& place, const std::string& name) {
    const Special* special = special_of(option, place, name);
    Settings before = tables_.base;
    for (const Condition& condition : place.conditions) before[condition.choice] = {condition.value};
    if (special != nullptr) overwrite(before, special->with);
    before = fitting(before, list_, tables_);
    const std::string now = Chosen(list_, before).value_of(option.name).value_or("");
    if (!name.empty() && name == now) return;  // what the others are compared with
    Trial trial{.option = option.name, .values = {}, .aspect = {}, .before = before, .after = before, .shown = {}};
    trial.values = values_of(option, special, name, now);
    trial.shown = shown(trial, place, now);
    if (trial.values.empty()) return miss(trial);
    trial.after[option.name] = trial.values;
    if (special != nullptr) {
      trial.aspect = special->aspect;
      overwrite(trial.after, special->besides);
    }
    trial.after = fitting(trial.after, list_, tables_);
    walked_.trials.push_back(std::move(trial));
  }

  Values values_of(const OptionEntry& option, const Special* special, const std::string& name,
                   const std::string& now) const {
    if (special != nullptr && !special->values.empty()) return special->values;
    if (special != nullptr && !special->value.empty()) return {special->value};
    if (!name.empty()) return {name};
    const auto found = other_value(option, now);
    return found ? Values{*found} : Values{};
  }

  void miss(const Trial& trial) {
    walked_.missing.push_back(
        fmt::format("{}: nothing says whether it has an effect. Give {} a value to try, or the reason why it is not "
                    "tried",
                    trial.shown, table_));
  }

  static std::string shown(const Trial& trial, const Place& place, const std::string& now) {
    std::string text = fmt::format("`{}` = {} (instead of {})", trial.option, fmt::join(trial.values, " "), now);
    for (const auto& [choice, value] : place.conditions) text += fmt::format(", {} = {}", choice, value);
    return text;
  }

  bool is_exempt(const std::string& option, const std::string& value) const {
    return std::ranges::any_of(tables_.exemptions, [&](const Exemption& exemption) {
      return exemption.option == option && exemption.value == value;
    });
  }

  const Special* special_of(const OptionEntry& option, const Place& place, const std::string& name) const {
    const auto found = std::ranges::find_if(tables_.specials, [&](const Special& special) {
      const bool of_place = std::ranges::all_of(special.where, [&](const Condition& condition) {
        return std::ranges::find(place.conditions, condition) != place.conditions.end();
      });
      return special.option == option.name && of_place &&
             (name.empty() || special.value.empty() || special.value == name);
    });
    return found == tables_.specials.end() ? nullptr : &*found;
  }

  const OptionList& list_;
  const Tables& tables_;
  const std::string& table_;
  Walked walked_;
};

}  // namespace

Walked walk_options(const OptionList& list, const Tables& tables, const std::string& table) {
  Walked walked = Walker(list, tables, table).walk();
  const auto check_name = [&](const std::string& option) {
    if (list.find(option) == nullptr)
      walked.missing.push_back(fmt::format("{} names `{}`, which is no option", table, option));
  };
  for (const Special& special : tables.specials) check_name(special.option);
  for (const Exemption& exemption : tables.exemptions) check_name(exemption.option);
  return walked;
}

config::Layer as_layer(const Settings& settings) {
  config::Layer layer;
  for (const auto& [name, values] : settings) {
    if (!values.empty()) layer.push_back({.name = name, .values = values});
  }
  return layer;
}

}  // namespace heed::options_test
