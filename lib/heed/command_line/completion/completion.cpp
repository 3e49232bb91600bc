#include "heed/command_line/completion/completion.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "heed/command_line/option_list.h"
#include "heed/core/text/unicode.h"

namespace heed::config::completion {
namespace {

/// The first clause of a help text, shortened to at most 60 characters, without characters that are special in a shell.
std::string short_meaning(const std::string& help) {
  constexpr size_t kLongest = 60;
  const std::string clause = help.substr(0, std::min(help.find(';'), help.find(": ")));
  std::string meaning;
  for (const std::string_view word : split_whitespace(clause)) {
    if (meaning.size() + 1 + word.size() > kLongest) return meaning + " ...";
    if (!meaning.empty()) meaning += ' ';
    for (const char letter : word) {
      if (std::string_view("`'\"\\$:[]").find(letter) == std::string_view::npos) meaning += letter;
    }
  }
  return meaning;
}

std::vector<CompletionOption> options_of(const Command& command) {
  std::vector<CompletionOption> options;
  if (!command.options) return options;
  for (const OptionEntry& entry : list_options(command.options).options) {
    const auto same = std::ranges::find(options, "--" + entry.name, &CompletionOption::word);
    if (same != options.end()) {  // the same name with another alternative
      same->choices.insert(same->choices.end(), entry.choices.begin(), entry.choices.end());
      continue;
    }
    options.push_back({{"--" + entry.name, short_meaning(entry.help)}, entry.kind == ValueKind::Flag, entry.choices});
  }
  options.push_back({{"--help", "explains the command"}, true});
  options.push_back({{"--help-all", "lists all options"}, true});
  return options;
}

std::vector<CompletionCommand> known_commands(std::span<const Command> commands, const std::string& before) {
  std::vector<CompletionCommand> known;
  for (const Command& command : commands) {
    CompletionCommand& made = known.emplace_back();
    made.word = before + command.name;
    made.meaning = short_meaning(command.summary);
    made.options = options_of(command);
    for (const Command& part : command.parts) made.parts.push_back({part.name, short_meaning(part.summary)});
    std::ranges::move(known_commands(command.parts, command.name + ' '), std::back_inserter(known));
  }
  return known;
}

}  // namespace

std::vector<CompletionCommand> known_commands(std::span<const Command> commands) {
  return known_commands(commands, "");
}

std::vector<CompletionWord> first_words(const std::vector<CompletionCommand>& commands) {
  std::vector<CompletionWord> words;
  for (const CompletionCommand& command : commands) {
    if (command.word.find(' ') == std::string::npos) words.push_back(command);
  }
  words.push_back({"help", "explains a command"});
  return words;
}

}  // namespace heed::config::completion
