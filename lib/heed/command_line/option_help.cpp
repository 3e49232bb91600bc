#include "heed/command_line/option_help.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::config {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kDescriptionColumn = 34;

/// The placeholder of a value: the word in backquotes at the beginning of the help text, or the kind of value.
std::string placeholder(const OptionEntry& option, Positionals positionals) {
  if (option.help.starts_with('`')) return option.help.substr(1, option.help.find('`', 1) - 1);
  if (!option.choices.empty()) return "NAME";
  switch (option.kind) {
    case ValueKind::Flag:
      return positionals == Positionals::Allowed ? "" : "[true|false]";
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

std::string left_side(const Command& command, const OptionEntry& option) {
  std::string left;
  for (const ShortName& letter : command.letters) {
    if (letter.name == option.name) left = fmt::format("-{}, ", letter.letter);
  }
  left += fmt::format("--{} {}", option.name, placeholder(option, command.positionals));
  return left.ends_with(' ') ? left.substr(0, left.size() - 1) : left;
}

/// The place with the default that applies: that of the selected alternatives, if there is one.
const Place& holding_place(const OptionEntry& option) {
  const auto chosen = std::ranges::find_if(option.places, &Place::chosen);
  return chosen == option.places.end() ? option.places.front() : *chosen;
}

/// "default 8"; with `all`, "default 8 (rnn: 1)" if alternatives differ.
std::string default_text(const OptionEntry& option, bool all) {
  const Place& holding = holding_place(option);
  std::string text = holding.default_value;
  for (const Place& place : option.places) {
    if (!all || place.default_value == holding.default_value || place.conditions.empty()) continue;
    const std::string other = fmt::format(" ({}: {})", place.conditions.back().value, place.default_value);
    if (text.find(other) == std::string::npos) text += other;
  }
  return text.empty() ? text : "default " + text;
}

std::string description_of(const OptionEntry& option, bool all) {
  const bool obvious = option.kind == ValueKind::Flag || !option.restricted;
  std::string facts = obvious ? std::string() : option.expected;
  const std::string value = default_text(option, all);
  if (!facts.empty() && !value.empty()) facts += "; ";
  facts += value;
  std::string help = option.help;
  if (help.starts_with('`')) std::erase(help, '`');
  return facts.empty() ? help : fmt::format("{} [{}]", help, facts);
}

/// Several values of one choice: "--arch.encoder.type rnn, convolution".
struct FoldedCondition {
  std::string choice;
  std::vector<std::string> values;
  bool operator==(const FoldedCondition&) const = default;
};
using FoldedPlace = std::vector<FoldedCondition>;

/// Merges `place` into `into` if they differ only in the values of one choice.
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

/// Innermost choices first, because their alternatives are adjacent.
std::vector<FoldedPlace> folded(const std::vector<FoldedPlace>& places) {
  std::vector<FoldedPlace> made;
  for (const FoldedPlace& place : places) {
    if (made.empty() || !folded_into(made.back(), place)) made.push_back(place);
  }
  return made.size() == places.size() ? made : folded(made);
}

/// The name of the choice below a section's heading: "type", or "--text.type" in another section.
std::string within(const std::string& choice, const std::string& section) {
  if (section.empty() || !choice.starts_with(section + '.')) return "--" + choice;
  return choice.substr(section.size() + 1);
}

/// "type rnn, convolution"; several places are joined by "or"; empty if the option always exists.
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
      conditions.push_back(fmt::format("{} {}", within(choice, option.section), fmt::join(values, ", ")));
    }
    texts.push_back(fmt::format("{}", fmt::join(conditions, " and ")));
  }
  return fmt::format("{}", fmt::join(texts, ", or "));
}

std::string heading_of(const OptionEntry& option, const OptionList& options) {
  const std::string section = option.section.empty() ? "Options" : fmt::format("[{}]", option.section);
  const std::string conditions = conditions_text(option);
  if (!conditions.empty()) return fmt::format("{} with {}", section, conditions);
  return option.section.empty() ? section : fmt::format("{} {}", section, options.sections.at(option.section));
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

constexpr std::string_view kEncoder = ".encoder", kDecoder = ".decoder", kBoth = ".{encoder,decoder}";

/// Merges each two rows that differ only in ".encoder" and ".decoder".
std::vector<HelpRow> both_sides_in_one(std::vector<HelpRow> rows) {
  const auto twin = [](const HelpRow& row, const HelpRow& other) {
    const auto same = [](const std::string& a, const std::string& b) { return replaced(a, kEncoder, kDecoder) == b; };
    // Titles of sections may differ, conditions must not.
    const auto conditions = [](const std::string& heading) {
      return heading.substr(std::min(heading.find(" with "), heading.size()));
    };
    return row.left != other.left && same(row.left, other.left) && row.description == other.description &&
           same(conditions(row.heading), conditions(other.heading));
  };
  std::vector<HelpRow> made;
  for (const HelpRow& row : rows) {
    const bool first = row.left.find(kEncoder) != std::string::npos;
    const bool second = row.left.find(kDecoder) != std::string::npos;
    const auto is_twin = [&](const HelpRow& other) { return first ? twin(row, other) : twin(other, row); };
    if ((!first && !second) || std::ranges::none_of(rows, is_twin)) {
      made.push_back(row);
    } else if (first) {
      made.push_back({.heading = replaced(row.heading, kEncoder, kBoth),
                      .left = replaced(row.left, kEncoder, kBoth),
                      .description = row.description});
    }
  }
  return made;
}

/// The words in lines of kWidth. The first line continues at `column`; the others are indented by `indent`.
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

}  // namespace

std::vector<HelpRow> common_rows(const Command& command, const OptionList& options) {
  std::vector<HelpRow> rows;
  for (const std::string& name : command.help.common) {
    const OptionEntry* option = options.find_chosen(name);
    check(option, "the common option " + name + " does not exist");
    if (std::ranges::none_of(option->places, &Place::chosen)) continue;
    rows.push_back({.heading = "Most used options (--help-all lists all)",
                    .left = left_side(command, *option),
                    .description = description_of(*option, /*all=*/false)});
  }
  return rows;
}

std::vector<HelpRow> all_rows(const Command& command, const OptionList& options) {
  std::vector<HelpRow> rows;
  for (const OptionEntry& option : options.options) {
    rows.push_back({.heading = heading_of(option, options),
                    .left = left_side(command, option),
                    .description = description_of(option, /*all=*/true)});
  }
  return both_sides_in_one(std::move(rows));
}

std::string row_text(const std::string& left, const std::string& description) {
  std::string text = "  " + left;
  size_t column = text.size();
  if (column + 2 > kDescriptionColumn) {
    text += '\n';
    column = 0;
  }
  text.append(kDescriptionColumn - column, ' ');
  return text + wrapped(description, kDescriptionColumn, kDescriptionColumn);
}

}  // namespace heed::config
