#include "heed/config/command_line/arguments.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::config {
namespace {

bool is_value(const std::string& argument) {
  // "-" is standard input and "-1" a number.
  return argument.size() < 2 || argument[0] != '-' || std::isdigit(static_cast<unsigned char>(argument[1])) ||
         argument[1] == '.';
}

/// The name of the option that an argument gives.
std::string name_in(const std::string& argument) {
  const size_t equals = argument.find('=');
  return argument.substr(std::min<size_t>(2, argument.size()), equals == std::string::npos ? equals : equals - 2);
}

HelpWanted wanted_help(std::span<const std::string> arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument == "--help-all") return HelpWanted::All;
    if (argument == "--help" || argument == "-h") return HelpWanted::Common;
  }
  return HelpWanted::No;
}

class CommandLineParser {
 public:
  CommandLineParser(std::span<const std::string> arguments, const OptionList& known, Positionals positionals)
      : arguments_(arguments), known_(known), positionals_(positionals) {}

  Arguments parse() {
    while (next_ < arguments_.size()) {
      const std::string& argument = arguments_[next_++];
      if (argument == "--") {
        while (next_ < arguments_.size()) positional(arguments_[next_++]);
      } else if (is_value(argument)) {
        positional(argument);
      } else {
        option(argument);
      }
    }
    return std::move(parsed_);
  }

 private:
  void positional(const std::string& argument) {
    if (positionals_ == Positionals::Refused) {
      throw ConfigError(fmt::format("`{}` belongs to no option; options read `--name value`", argument));
    }
    parsed_.positionals.push_back(argument);
  }

  void option(const std::string& argument) {
    if (!argument.starts_with("--")) {
      throw ConfigError(fmt::format("`{}` is not an option: names begin with two dashes", argument));
    }
    const size_t equals = argument.find('=');
    Setting setting{.name = name_in(argument)};
    const OptionEntry* entry = known_.find(setting.name);
    if (!entry) fail_unknown(setting, known_);
    if (equals != std::string::npos) {
      setting.values.push_back(argument.substr(equals + 1));
    } else {
      take_values(*entry, setting);
    }
    add(*entry, std::move(setting));
  }

  void take_values(const OptionEntry& entry, Setting& setting) {
    if (entry.kind == ValueKind::Flag) {
      const bool given = next_ < arguments_.size() && (arguments_[next_] == "true" || arguments_[next_] == "false");
      setting.values.push_back(given ? arguments_[next_++] : "true");
      return;
    }
    const bool several = entry.kind == ValueKind::List && positionals_ == Positionals::Refused;
    while (next_ < arguments_.size() && is_value(arguments_[next_]) && (several || setting.values.empty())) {
      setting.values.push_back(arguments_[next_++]);
    }
    if (setting.values.empty()) {
      const bool dash = next_ < arguments_.size() && !known_.find(name_in(arguments_[next_]));
      const std::string advice =
          dash ? fmt::format("; one that begins with a dash is given as --{}=VALUE", setting.name) : "";
      throw ConfigError(fmt::format("{} needs a value: {}{}", setting.shown(), entry.expected, advice));
    }
  }

  void add(const OptionEntry& entry, Setting setting) {
    const auto same = std::find_if(parsed_.settings.begin(), parsed_.settings.end(),
                                   [&](const Setting& other) { return other.name == setting.name; });
    if (same == parsed_.settings.end()) {
      parsed_.settings.push_back(std::move(setting));
    } else if (entry.kind == ValueKind::List) {
      same->values.insert(same->values.end(), setting.values.begin(), setting.values.end());
    } else {
      throw ConfigError(fmt::format("{} is given twice", setting.shown()));
    }
  }

  std::span<const std::string> arguments_;
  const OptionList& known_;
  Positionals positionals_;
  size_t next_ = 0;
  Arguments parsed_;
};

}  // namespace

bool Arguments::gives(std::string_view option) const {
  return std::ranges::find(settings, option, &Setting::name) != settings.end();
}

Arguments parse_arguments(std::span<const std::string> arguments, const OptionList& known, Positionals positionals) {
  if (const HelpWanted help = wanted_help(arguments); help != HelpWanted::No) {
    return {.settings = {}, .positionals = {}, .help = help};
  }
  return CommandLineParser(arguments, known, positionals).parse();
}

}  // namespace heed::config
