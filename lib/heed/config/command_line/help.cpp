#include "heed/config/command_line/help.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::config {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kHelpColumn = 34;

/// What stands for the value: the word in backquotes that the help may begin with, or the kind of value.
std::string placeholder(const OptionEntry& option) {
  if (option.help.starts_with('`')) return option.help.substr(1, option.help.find('`', 1) - 1);
  if (!option.choices.empty()) return "NAME";
  switch (option.kind) {
    case ValueKind::Flag:
      return "[true|false]";
    case ValueKind::WholeNumber:
      return "N";
    case ValueKind::Number:
      return "X";
    case ValueKind::List:
      return "TEXT...";
    case ValueKind::Text:
      break;
  }
  return "TEXT";
}

/// "default 8", or "default 8 (rnn: 1)" where the alternatives differ.
std::string default_text(const OptionEntry& option) {
  std::string text = option.places.front().default_value;
  for (const Place& place : option.places) {
    if (place.default_value == option.places.front().default_value || place.conditions.empty()) continue;
    const std::string other = fmt::format(" ({}: {})", place.conditions.back().value, place.default_value);
    if (text.find(other) == std::string::npos) text += other;
  }
  return text.empty() ? text : "default " + text;
}

/// What the option takes, unless its placeholder says it already.
std::string expected_text(const OptionEntry& option) {
  const bool obvious = option.kind == ValueKind::Flag || !option.restricted;
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

/// The words in lines of kWidth: the first goes on at `column`, the others begin at `indent`.
std::string wrapped(const std::string& words, size_t column, size_t indent) {
  std::string text;
  bool begins_line = true;
  for (const std::string_view word : split_whitespace(words)) {
    const size_t width = characters(word).size();
    if (!begins_line && column + 1 + width > kWidth) {
      text += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!begins_line) {
      text += ' ';
      ++column;
    }
    begins_line = false;
    text += word;
    column += width;
  }
  return text + '\n';
}

std::string entry_text(const OptionEntry& option, const std::string& indent) {
  std::string text = fmt::format("{}--{} {}", indent, option.name, placeholder(option));
  size_t column = text.size();
  if (column + 2 > kHelpColumn) {
    text += '\n';
    column = 0;
  }
  text.append(kHelpColumn - column, ' ');
  return text + wrapped(description(option), kHelpColumn, kHelpColumn);
}

bool same_conditions(const OptionEntry& a, const OptionEntry& b) {
  return std::equal(a.places.begin(), a.places.end(), b.places.begin(), b.places.end(),
                    [](const Place& left, const Place& right) { return left.conditions == right.conditions; });
}

/// Alternatives of which any will do: "--arch.encoder.type rnn, convolution".
struct FoldedCondition {
  std::string choice;
  std::vector<std::string> values;
  bool operator==(const FoldedCondition&) const = default;
};
using FoldedPlace = std::vector<FoldedCondition>;

/// Adds to `into` the values of `place` if the two differ in those of one choice only.
bool folded_into(FoldedPlace& into, const FoldedPlace& place) {
  if (into.size() != place.size()) return false;
  std::optional<size_t> different;
  for (size_t i = 0; i < place.size(); ++i) {
    if (into[i] == place[i]) continue;
    if (different || into[i].choice != place[i].choice) return false;
    different = i;
  }
  if (!different) return true;
  auto& values = into[*different].values;
  values.insert(values.end(), place[*different].values.begin(), place[*different].values.end());
  return true;
}

/// Innermost choices first, since their alternatives stand side by side.
std::vector<FoldedPlace> folded(const std::vector<FoldedPlace>& places) {
  std::vector<FoldedPlace> made;
  for (const FoldedPlace& place : places) {
    if (made.empty() || !folded_into(made.back(), place)) made.push_back(place);
  }
  return made.size() == places.size() ? made : folded(made);
}

/// "with --arch.encoder.type rnn, convolution"; empty for an option that is always there.
std::string conditions_text(const OptionEntry& option) {
  std::vector<FoldedPlace> places;
  for (const Place& place : option.places) {
    if (place.conditions.empty()) return {};
    FoldedPlace& conditions = places.emplace_back();
    for (const Condition& condition : place.conditions) conditions.push_back({condition.choice, {condition.value}});
  }
  std::vector<std::string> texts;
  for (const FoldedPlace& place : folded(places)) {
    std::vector<std::string> conditions;
    for (const auto& [choice, values] : place) {
      conditions.push_back(fmt::format("--{} {}", choice, fmt::join(values, ", ")));
    }
    texts.push_back(fmt::format("{}", fmt::join(conditions, " ")));
  }
  return fmt::format("with {}", fmt::join(texts, " or "));
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
      text += "  " + wrapped(conditions + ':', 2, 7);
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
