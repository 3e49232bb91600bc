#include "descriptions.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "heed/command_line/former_names.h"
#include "program_help.h"

namespace heed::apps {
namespace {

using Document = nlohmann::ordered_json;
using Values = std::map<std::string, std::string>;  // of options, by name

std::string_view kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::Flag:
      return "flag";
    case ValueKind::WholeNumber:
      return "whole number";
    case ValueKind::Number:
      return "number";
    case ValueKind::List:
      return "list";
    case ValueKind::Text:
      break;
  }
  return "text";
}

Document places_of(const config::OptionEntry& option) {
  Document places = Document::array();
  for (const config::Place& place : option.places) {
    Document conditions = Document::array();
    for (const auto& [choice, value] : place.conditions) conditions.push_back({choice, value});
    places.push_back({{"conditions", conditions}, {"default", place.default_value}, {"chosen", place.chosen}});
  }
  return places;
}

/// The options that exist under a preset, with their values.
Values values_under(const config::Command& command, const std::string& preset) {
  command.prepare_help({{.name = "preset", .values = {preset}}});
  Values values;
  for (const config::OptionValue& option : config::option_values(command.options)) {
    values[option.name] = fmt::format("{}", fmt::join(option.values, " "));
  }
  return values;
}

Document option_json(const config::Command& command, const config::OptionList& list,
                     const config::OptionEntry& option) {
  std::string letter;
  for (const config::ShortName& known : command.letters) {
    if (known.name == option.name) letter = known.letter;
  }
  const auto section = list.sections.find(option.section);
  return {{"name", option.name},
          {"section", option.section},
          {"section-help", section == list.sections.end() ? "" : section->second},
          {"help", option.help},
          {"kind", kind_name(option.kind)},
          {"choices", option.choices},
          {"expected", option.expected},
          {"restricted", option.restricted},
          {"letter", letter},
          {"former-names", config::former_names(option.name)},
          {"places", places_of(option)}};
}

Document options_json(const config::Command& command) {
  if (command.prepare_help) command.prepare_help({});
  const config::OptionList list = config::list_options(command.options);
  Document options = Document::array();
  for (const config::OptionEntry& option : list.options) options.push_back(option_json(command, list, option));
  const config::OptionEntry* presets = command.prepare_help ? list.find("preset") : nullptr;
  if (presets == nullptr) return options;
  for (const std::string& preset : presets->choices) {
    const Values values = values_under(command, preset);
    for (Document& option : options) {
      const auto value = values.find(option["name"]);
      if (value != values.end()) option["presets"][preset] = value->second;
    }
  }
  return options;
}

void add_commands(Document& commands, const std::vector<config::Command>& listed, const std::string& before) {
  for (const config::Command& command : listed) {
    const std::string name = before + command.name;
    if (command.options) {
      commands.push_back({{"name", name},
                          {"summary", command.summary},
                          {"usage", command.help.usage},
                          {"description", command.help.summary},
                          {"examples", command.help.examples},
                          {"notes", command.help.closing},
                          {"options", options_json(command)}});
    }
    add_commands(commands, command.parts, name + ' ');
  }
}

}  // namespace

std::string descriptions(std::string_view version) {
  Document commands = Document::array();
  add_commands(commands, documented_commands(), "");
  const Document all = {
      {"version", version}, {"summary", kHeed.summary}, {"closing", kHeed.closing}, {"commands", commands}};
  return all.dump(1) + '\n';
}

}  // namespace heed::apps
