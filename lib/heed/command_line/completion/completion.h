// Shell completion: the words of a program's command lines, and the scripts that complete them. They complete commands,
// options, and the values of options that have a fixed set; everything else is completed as a file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heed/command_line/command.h"

namespace heed::config::completion {

/// A word and its meaning.
struct CompletionWord {
  std::string word;
  std::string meaning;
};

struct CompletionOption : CompletionWord {
  bool flag = false;
  std::vector<std::string> choices = {};  ///< values; empty: files or free text
};

/// A command or a subcommand.
struct CompletionCommand : CompletionWord {  // word: "train", "bpe learn"
  std::vector<CompletionOption> options = {};
  std::vector<CompletionWord> parts = {};
};

/// All commands, each followed by its subcommands.
std::vector<CompletionCommand> known_commands(std::span<const Command> commands);
/// The top-level commands, and `help`.
std::vector<CompletionWord> first_words(const std::vector<CompletionCommand>& commands);

/// The words, separated by spaces.
template <class Words>
std::string joined(const Words& known) {
  std::string text;
  for (const CompletionWord& one : known) text += (text.empty() ? "" : " ") + one.word;
  return text;
}

/// Calls write(command, option) for all options that have a fixed set of values.
template <class Write>
void each_choice(const std::vector<CompletionCommand>& commands, const Write& write) {
  for (const CompletionCommand& command : commands) {
    for (const CompletionOption& option : command.options) {
      if (!option.choices.empty()) write(command, option);
    }
  }
}

/// The completion script for `program`, in the language of each shell.
std::string bash_script(const std::string& program, const std::vector<CompletionCommand>& commands);
std::string zsh_script(const std::string& program, const std::vector<CompletionCommand>& commands);
std::string fish_script(const std::string& program, const std::vector<CompletionCommand>& commands);

}  // namespace heed::config::completion
