#include "heed/command_line/argparse.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/text/python_notation.h"

namespace heed::config {
namespace {

/// A negative number: -12, -1.5, -.5
bool is_negative_number(std::string_view text) {
  text.remove_prefix(1);
  const size_t digits = text.find_first_not_of("0123456789");
  if (digits == std::string_view::npos) return !text.empty();
  const std::string_view fraction = text.substr(digits + 1);
  return text[digits] == '.' && !fraction.empty() && fraction.find_first_not_of("0123456789") == std::string_view::npos;
}

/// An argument that is an option: the option, the name used, and a value in the same argument.
struct OptionArgument {
  const ParsedOption* option = nullptr;  // null: no option has this name
  std::string name;
  std::optional<std::string> value;
};

[[noreturn]] void fail(const ParsedOption& option, std::string_view message) {
  throw ConfigError(fmt::format("argument {}: {}", fmt::join(option.names, "/"), message));
}

class Parser {
 public:
  Parser(std::span<const ParsedOption> options, std::span<const std::string> arguments)
      : options_(options), arguments_(arguments) {}

  void parse() {
    classify();
    size_t next = 0;
    while (next < end_of_options_) {
      if (kinds_[next] == Kind::Option) {
        next = take_option(next);
      } else if (const size_t end = take_positionals(next); end > next) {
        next = end;
      } else {
        left_over_.push_back(arguments_[next++]);
      }
    }
    next = take_positionals(next);
    left_over_.insert(left_over_.end(), arguments_.begin() + static_cast<std::ptrdiff_t>(next), arguments_.end());
    if (!left_over_.empty()) throw ConfigError(fmt::format("unrecognized arguments: {}", fmt::join(left_over_, " ")));
  }

 private:
  enum class Kind { Value, Option, Separator };

  void classify() {
    bool separated = false;
    for (const std::string& argument : arguments_) {
      given_.emplace_back();
      if (separated) {
        kinds_.push_back(Kind::Value);
      } else if (argument == "--") {
        separated = true;
        kinds_.push_back(Kind::Separator);
      } else {
        given_.back() = recognize(argument);
        kinds_.push_back(given_.back() ? Kind::Option : Kind::Value);
        if (given_.back()) end_of_options_ = kinds_.size();
      }
    }
  }

  const ParsedOption* find(std::string_view name) const {
    for (const ParsedOption& option : options_) {
      if (std::ranges::find(option.names, name) != option.names.end()) return &option;
    }
    return nullptr;
  }

  /// The option that an argument names; none: the argument is a value.
  std::optional<OptionArgument> recognize(const std::string& argument) const {
    if (argument.size() < 2 || argument[0] != '-') return std::nullopt;
    if (const ParsedOption* option = find(argument)) return OptionArgument{option, argument, {}};
    if (const size_t equals = argument.find('='); equals != std::string::npos) {
      const std::string name = argument.substr(0, equals);
      if (const ParsedOption* option = find(name)) return OptionArgument{option, name, argument.substr(equals + 1)};
    }
    const auto possible = abbreviated(argument);
    if (possible.size() == 1) return possible[0];
    if (possible.size() > 1) {
      std::vector<std::string> names;
      for (const OptionArgument& each : possible) names.push_back(each.name);
      throw ConfigError(fmt::format("ambiguous option: {} could match {}", argument, fmt::join(names, ", ")));
    }
    if (is_negative_number(argument) || argument.find(' ') != std::string::npos) return std::nullopt;
    return OptionArgument{nullptr, argument, {}};
  }

  /// The options whose names begin with `argument`. After a single dash, also the option of its first letter.
  std::vector<OptionArgument> abbreviated(const std::string& argument) const {
    const bool one_dash = argument[1] != '-';
    const size_t equals = one_dash ? std::string::npos : argument.find('=');
    const std::string prefix = argument.substr(0, equals);
    const auto value = equals == std::string::npos ? std::nullopt : std::optional(argument.substr(equals + 1));
    std::vector<OptionArgument> possible;
    for (const ParsedOption& option : options_) {
      for (const std::string& name : option.names) {
        if (one_dash && name == argument.substr(0, 2))
          possible.push_back({&option, name, argument.substr(2)});
        else if (name.starts_with(prefix))
          possible.push_back({&option, name, value});
      }
    }
    return possible;
  }

  size_t values_from(size_t begin) const {
    size_t end = begin;
    while (end < kinds_.size() && kinds_[end] == Kind::Value) ++end;
    return end - begin;
  }

  size_t count_of(const ParsedOption& option, size_t available) const {
    switch (option.count) {
      case ArgumentCount::None:
        return 0;
      case ArgumentCount::One:
        if (available == 0) fail(option, "expected one argument");
        return 1;
      case ArgumentCount::Any:
        return available;
      case ArgumentCount::OneOrMore:
        if (available == 0) fail(option, "expected at least one argument");
        return available;
    }
    return 0;
  }

  /// Reads an option and its values. Returns the index after them.
  size_t take_option(size_t place) {
    OptionArgument argument = *given_[place];
    if (argument.option == nullptr) {
      left_over_.push_back(arguments_[place]);
      return place + 1;
    }
    while (argument.value && argument.option->count == ArgumentCount::None) argument = take_flag(argument);
    const ParsedOption& option = *argument.option;
    if (argument.value) {
      take(option, std::span(&*argument.value, 1));
      return place + 1;
    }
    const size_t count = count_of(option, values_from(place + 1));
    take(option, arguments_.subspan(place + 1, count));
    return place + 1 + count;
  }

  /// Reads a flag that is followed by other letters. Returns the option of the next letter.
  OptionArgument take_flag(const OptionArgument& argument) {
    const std::string& rest = *argument.value;
    const std::string next_name = fmt::format("-{}", rest.substr(0, 1));
    const ParsedOption* following = rest.empty() || argument.name[1] == '-' ? nullptr : find(next_name);
    if (following == nullptr) fail(*argument.option, "ignored explicit argument " + python_repr(rest));
    take(*argument.option, {});
    const auto value = rest.size() > 1 ? std::optional(rest.substr(1)) : std::nullopt;
    return {following, next_name, value};
  }

  /// Reads all values from `begin` up to an option as positionals, but only once. Returns the index after them.
  size_t take_positionals(size_t begin) {
    const auto positionals = std::ranges::find_if(options_, [](const auto& option) { return option.names.empty(); });
    if (positionals_taken_ || positionals == options_.end()) return begin;
    size_t end = begin;
    std::vector<std::string> values;
    for (; end < kinds_.size() && kinds_[end] != Kind::Option; ++end) {
      if (kinds_[end] == Kind::Value) values.push_back(arguments_[end]);
    }
    positionals_taken_ = true;
    positionals->take(values);
    return end;
  }

  void take(const ParsedOption& option, std::span<const std::string> values) {
    for (const ParsedOption* other : taken_) {
      if (other != &option && option.exclusive_group != 0 && other->exclusive_group == option.exclusive_group) {
        fail(option, fmt::format("not allowed with argument {}", fmt::join(other->names, "/")));
      }
    }
    taken_.insert(&option);
    try {
      option.take(values);
    } catch (const std::invalid_argument& error) {
      fail(option, error.what());
    }
  }

  std::span<const ParsedOption> options_;
  std::span<const std::string> arguments_;
  std::vector<std::optional<OptionArgument>> given_;  // by argument
  std::vector<Kind> kinds_;
  size_t end_of_options_ = 0;  // the index after the last argument that is an option
  bool positionals_taken_ = false;
  std::vector<std::string> left_over_;
  std::set<const ParsedOption*> taken_;
};

}  // namespace

void parse_as_argparse(std::span<const ParsedOption> options, std::span<const std::string> arguments) {
  Parser(options, arguments).parse();
}

}  // namespace heed::config
