// A walk over a described list of options: one trial for each option, with each alternative that has it and each name
// that it takes. A trial is two runs that differ in the option alone; what they leave must differ, too.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "heed/command_line/option_list.h"
#include "heed/command_line/settings.h"

namespace heed::options_test {

/// Values by option. No values: the option is left out, also where a context gives it.
using Settings = std::map<std::string, std::vector<std::string>>;

/// What the right one says holds.
inline Settings operator+(Settings left, const Settings& right) {
  for (const auto& [name, values] : right) left[name] = values;
  return left;
}

/// What the walk cannot find out by itself.
struct Special {
  std::string option;
  std::string value = {};                     ///< to try instead of the walk's own; of an option with names: this one
  std::vector<config::Condition> where = {};  ///< the alternatives that this is for; empty: all
  Settings with = {};                         ///< of both runs: what the option needs to have an effect
  Settings besides = {};                      ///< of the second run alone: what this value needs
  std::string aspect = {};                    ///< what must differ, where it is not what its section changes
  std::vector<std::string> values = {};       ///< likewise, of a list
};

/// An option, or one name that it takes, that is not tried.
struct Exemption {
  std::string option;
  std::string value = {};  ///< empty: none of its values is
  std::string reason;
};

/// Settings that hold wherever a choice is made.
struct Small {
  config::Condition choice;
  Settings settings;
  Settings instead = {};  ///< that take the place of what the base says

  Settings everything() const { return settings + instead; }
};

struct Tables {
  Settings base;                  ///< of every run
  std::vector<Small> small;       ///< that keep alternatives small, and make them fit the others
  std::vector<Special> specials;  ///< the first one that fits holds
  std::vector<Exemption> exemptions;
};

struct Trial {
  std::string option;
  std::vector<std::string> values;  ///< of the second run
  std::string aspect;               ///< as in the table; empty: that of the section
  Settings before, after;

  /// "`arch.encoder.cell` = tanh with arch.encoder.type = rnn"
  std::string shown;
};

struct Walked {
  std::vector<Trial> trials;
  std::vector<std::string> missing;  ///< what the tables must say before the suite passes
};

/// The trials of all options of the list. `table` names the tables' file for messages.
Walked walk_options(const config::OptionList& list, const Tables& tables, const std::string& table);

/// The settings as one layer.
config::Layer as_layer(const Settings& settings);

}  // namespace heed::options_test
