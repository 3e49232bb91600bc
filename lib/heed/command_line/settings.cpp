#include "heed/command_line/settings.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/named_visitor.h"
#include "heed/command_line/similar_names.h"
#include "heed/command_line/toolkit_names.h"
#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed::config {
namespace {

[[noreturn]] void fail_value(const Setting& setting, const std::string& expected,
                             std::span<const std::string> choices) {
  const std::string value = fmt::format("{}", fmt::join(setting.values, " "));
  throw ConfigError(
      fmt::format("{} must be {}, but is `{}`{}", setting.shown(), expected, value, did_you_mean(value, choices)));
}

class Setter : public NamedVisitor {
 public:
  explicit Setter(const std::map<std::string, const Setting*>& settings) : settings_(settings) {}
  bool used(const std::string& name) const { return used_.contains(name); }

 protected:
  void field(const OptionField& field) override {
    const std::string name = name_of(field.name);
    used_.insert(name);
    const auto found = settings_.find(name);
    if (found == settings_.end()) return;
    const Setting& setting = *found->second;
    try {
      field.set(setting.values);
    } catch (const std::invalid_argument&) {
      fail_value(setting, field.expected, field.choices);
    }
  }

 private:
  const std::map<std::string, const Setting*>& settings_;
  std::set<std::string> used_;
};

/// Throws the error that a choice excludes the option. Of the places that have the option, it names those with the most
/// outer choices that hold.
[[noreturn]] void fail_inactive(const Setting& setting, const std::vector<Place>& places, const VisitOptions& walk) {
  std::map<std::string, std::string> chosen;
  for (const OptionValue& value : option_values(walk)) {
    chosen[value.name] = fmt::format("{}", fmt::join(value.values, " "));
  }
  const auto made = [&](const Condition& condition) { return chosen[condition.choice] == condition.value; };
  std::string choice;
  std::vector<std::string> needed;
  int64_t nearest = -1;  // the number of leading conditions that hold, outermost first
  for (const Place& place : places) {
    const auto missing = std::ranges::find_if_not(place.conditions, made);
    const int64_t holding = missing - place.conditions.begin();
    if (missing == place.conditions.end() || holding < nearest) continue;
    if (holding > nearest) {
      needed.clear();
      choice = missing->choice;
      nearest = holding;
    }
    const std::string value = '`' + missing->value + '`';
    if (choice == missing->choice && std::ranges::find(needed, value) == needed.end()) needed.push_back(value);
  }
  throw ConfigError(fmt::format("{} applies only when `{}` is {}, but it is `{}`", setting.shown(), choice,
                                listed(needed, "or"), chosen[choice]));
}

void check_names(const Layer& layer, const OptionList& known) {
  std::set<std::string> names;
  for (const Setting& setting : layer) {
    if (!known.find(setting.name)) fail_unknown(setting, known);
    if (!names.insert(setting.name).second) throw ConfigError(fmt::format("{} is given twice", setting.shown()));
  }
}

/// Whether the option is a text whose default is empty, or the file "-".
bool names_what_may_be_absent(const OptionEntry& entry) {
  return entry.kind == ValueKind::Text && !entry.restricted &&
         std::ranges::any_of(entry.places, [](const Place& place) {
           return place.default_value.empty() || place.default_value == "-";
         });
}

/// Rejects an empty text on the command line that overrides nothing: the user probably passed an unset shell variable.
/// An empty text that overrides a file's value is accepted.
void check_empty(const std::vector<Layer>& layers, const OptionList& known) {
  std::set<std::string> before;
  for (const Layer& layer : layers) {
    for (const Setting& setting : layer) {
      const bool overrules = before.contains(setting.name);
      if (!overrules && setting.place.empty() && setting.values == std::vector<std::string>{""} &&
          names_what_may_be_absent(*known.find(setting.name))) {
        throw ConfigError(fmt::format("{} is empty: give it a value, or leave it out", setting.shown()));
      }
      before.insert(setting.name);
    }
  }
}

/// The layers merged: later ones override earlier ones. If a layer changes a choice, earlier settings that belong only
/// to the old alternative are ignored. An option that both alternatives share is kept.
class Merged {
 public:
  Merged(const VisitOptions& walk, const OptionList& known) : known_(known) {
    for (const OptionValue& value : option_values(walk)) preset_[value.name] = value.values;
  }

  void add(const Layer& layer) {
    for (const Setting& setting : layer) {
      if (const auto* before = value_of(setting.name); before && before->size() == 1 && setting.values.size() == 1) {
        leave_out({setting.name, before->front()}, {setting.name, setting.values.front()});
      }
    }
    for (const Setting& setting : layer) settings_[setting.name] = &setting;
  }

  const std::map<std::string, const Setting*>& settings() const { return settings_; }

 private:
  const std::vector<std::string>* value_of(const std::string& name) const {
    if (const auto given = settings_.find(name); given != settings_.end()) return &given->second->values;
    const auto preset = preset_.find(name);
    return preset == preset_.end() ? nullptr : &preset->second;
  }

  void leave_out(const Condition& before, const Condition& now) {
    if (before == now) return;
    std::erase_if(settings_, [&](const auto& entry) {
      return std::ranges::any_of(known_.options, [&](const OptionEntry& option) {
        return option.name == entry.first && option.belongs_to(before) && !option.belongs_to(now);
      });
    });
  }

  const OptionList& known_;
  std::map<std::string, std::vector<std::string>> preset_;
  std::map<std::string, const Setting*> settings_;
};

}  // namespace

std::string Setting::shown() const {
  const std::string dashes = place.empty() ? "--" : "", before = place.empty() ? "" : place + ": ";
  if (former.empty()) return fmt::format("{}`{}{}`", before, dashes, name);
  return fmt::format("{0}`{1}{2}` (now `{1}{3}`)", before, dashes, former, name);
}

std::string last_value(const std::vector<Layer>& layers, std::string_view name) {
  std::string value;
  for (const Layer& layer : layers) {
    for (const Setting& setting : layer) {
      if (setting.name == name && setting.values.size() == 1) value = setting.values.front();
    }
  }
  return value;
}

void fail_unknown(const Setting& setting, const OptionList& known) {
  std::vector<std::string> near = known.similar(setting.name);
  for (std::string& name : near) {
    std::string value = setting.values.size() == 1 ? value_of_peer(setting.name, name, setting.values[0]) : "";
    if (!value.empty()) value.insert(0, setting.place.empty() ? " " : " = ");
    name = fmt::format("`{}{}{}`", setting.place.empty() ? "--" : "", name, value);
  }
  const std::string advice =
      near.empty() ? std::string("; --help-all lists all options") : "; did you mean " + listed(near, "or") + "?";
  throw ConfigError(fmt::format("{} is not an option{}", setting.shown(), advice));
}

void fail_value(const Setting& setting, const OptionEntry& option) {
  fail_value(setting, option.expected, option.choices);
}

void apply_layers(const VisitOptions& walk, const std::vector<Layer>& layers) {
  const OptionList known = list_options(walk);
  Merged merged(walk, known);
  for (const Layer& layer : layers) {
    check_names(layer, known);
    merged.add(layer);
  }
  Setter setter(merged.settings());
  walk(setter);
  for (const auto& [name, setting] : merged.settings()) {
    if (!setter.used(name)) fail_inactive(*setting, known.places(name), walk);
  }
  check_empty(layers, known);
}

}  // namespace heed::config
