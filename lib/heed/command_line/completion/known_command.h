// What a shell is told of a program: the words of its command lines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heed/command_line/command.h"

namespace heed::config::completion {

/// A word that can be typed, and what it means.
struct Known {
  std::string word;
  std::string meaning;
};

struct KnownOption : Known {
  bool flag = false;
  std::vector<std::string> choices = {};  ///< empty: files, or what nobody can know
};

/// One command, or a part of one.
struct KnownCommand : Known {  // word: "train", "bpe learn"
  std::vector<KnownOption> options = {};
  std::vector<Known> parts = {};
};

/// The commands and, behind each, its parts.
std::vector<KnownCommand> known_commands(std::span<const Command> commands);
/// The commands that are no parts of another, and `help`.
std::vector<Known> first_words(const std::vector<KnownCommand>& commands);

/// The words of them, side by side.
template <class Words>
std::string joined(const Words& known) {
  std::string text;
  for (const Known& one : known) text += (text.empty() ? "" : " ") + one.word;
  return text;
}

/// Calls write(command, option) for the options that take one of some names.
template <class Write>
void each_choice(const std::vector<KnownCommand>& commands, const Write& write) {
  for (const KnownCommand& command : commands) {
    for (const KnownOption& option : command.options) {
      if (!option.choices.empty()) write(command, option);
    }
  }
}

}  // namespace heed::config::completion
