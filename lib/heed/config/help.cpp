#include "heed/config/help.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/unicode.h"

namespace heed::config {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kHelpColumn = 34;

/// What stands for the value: the word in backquotes that the help may begin with, or the kind of value.
std::string placeholder(const OptionEntry& option) {
  if (option.help.starts_with('`')) return option.help.substr(1, option.help.find('`', 1) - 1);
  if (!option.choices.empty()) return "NAME";
  switch (option.kind) {
    case ValueKind::Flag: return "[true|false]";
    case ValueKind::WholeNumber: return "N";
    case ValueKind::Number: return "X";
    case ValueKind::List: return "TEXT...";
    case ValueKind::Text: break;
  }
  return "TEXT";
}

/// "default 8", or "default 8 (rnn: 1)" where the alternatives differ.
std::string default_text(const OptionEntry& option) {
  std::string text = option.places.front().default_value;
  for (const Place& place : option.places) {
    if (place.default_value != option.places.front().default_value && !place.conditions.empty()) {
      text += fmt::format(" ({}: {})", place.conditions.back().value, place.default_value);
    }
  }
  return text.empty() ? text : "default " + text;
}

/// What the option takes, unless its placeholder says it already.
std::string expected_text(const OptionEntry& option) {
  const bool obvious = option.choices.empty() && (option.kind == ValueKind::Flag || option.expected == "a text" ||
                                                  option.expected == "a list of texts" ||
                                                  option.expected == "a whole number" || option.expected == "a number");
  return obvious ? std::string() : option.expected;
}

std::string description(const OptionEntry& option) {
  std::string facts = expected_text(option);
  const std::string value = default_text(option);
  if (!facts.empty() && !value.empty()) facts += "; ";
  facts += value;
  std::string help = option.help;
  if (help.starts_with('`')) std::erase(help, '`');
  return facts.empty() ? help : fmt::format("{} [{}]", help, facts);
}

std::string entry_text(const OptionEntry& option, const std::string& indent) {
  std::string text = fmt::format("{}--{} {}", indent, option.name, placeholder(option));
  size_t column = text.size();
  if (column + 2 > kHelpColumn) {
    text += '\n';
    column = 0;
  }
  text.append(kHelpColumn - column, ' ');
  column = kHelpColumn;
  const std::string words = description(option);
  for (const std::string_view word : split_whitespace(words)) {
    const size_t width = characters(word).size();
    if (column > kHelpColumn && column + 1 + width > kWidth) {
      text += '\n' + std::string(kHelpColumn, ' ');
      column = kHelpColumn;
    } else if (column > kHelpColumn) {
      text += ' ';
      ++column;
    }
    text += word;
    column += width;
  }
  return text + '\n';
}

bool same_conditions(const OptionEntry& a, const OptionEntry& b) {
  return std::equal(a.places.begin(), a.places.end(), b.places.begin(), b.places.end(),
                    [](const Place& left, const Place& right) { return left.conditions == right.conditions; });
}

/// "with --arch.encoder.type rnn, convolution"; empty for an option that is always there.
std::string conditions_text(const OptionEntry& option) {
  std::vector<std::string> places;
  for (const Place& place : option.places) {
    std::vector<std::string> conditions;
    for (const Condition& condition : place.conditions) {
      conditions.push_back(fmt::format("--{} {}", condition.choice, condition.value));
    }
    if (conditions.empty()) return {};
    places.push_back(fmt::format("{}", fmt::join(conditions, " ")));
  }
  return fmt::format("with {}", fmt::join(places, " or "));
}

std::string header_text(const CommandHelp& help) {
  std::string text = fmt::format("usage: {}\n\n{}\n", help.usage, help.summary);
  if (!help.examples.empty()) text += fmt::format("\nExamples:\n{}\n", help.examples);
  return text;
}

std::string section_text(const OptionList& options, const std::string& section) {
  const auto title = options.sections.find(section);
  std::string text = section.empty() ? "\nOptions:\n" : fmt::format("\n[{}] {}\n", section, title->second);
  const OptionEntry* previous = nullptr;
  for (const OptionEntry& option : options.options) {
    if (option.section != section) continue;
    const std::string conditions = conditions_text(option);
    if (!conditions.empty() && (!previous || !same_conditions(*previous, option))) {
      text += fmt::format("  {}:\n", conditions);
    }
    text += entry_text(option, conditions.empty() ? "  " : "    ");
    previous = &option;
  }
  return text;
}

}  // namespace

std::string format_help(const CommandHelp& help, const OptionList& options) {
  if (help.common.empty()) return format_full_help(help, options);
  std::string text = header_text(help) + "\nThe options one needs most (--help-all lists all):\n";
  for (const std::string& name : help.common) {
    const OptionEntry* option = options.find(name);
    check(option, "the common option " + name + " does not exist");
    text += entry_text(*option, "  ");
  }
  return help.closing.empty() ? text : text + '\n' + help.closing + '\n';
}

std::string format_full_help(const CommandHelp& help, const OptionList& options) {
  std::vector<std::string> sections{""};
  for (const OptionEntry& option : options.options) {
    if (std::find(sections.begin(), sections.end(), option.section) == sections.end()) {
      sections.push_back(option.section);
    }
  }
  std::string text = header_text(help);
  for (const std::string& section : sections) text += section_text(options, section);
  return help.closing.empty() ? text : text + '\n' + help.closing + '\n';
}

}  // namespace heed::config
