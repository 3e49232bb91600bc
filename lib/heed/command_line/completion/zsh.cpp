#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/completion/completion.h"

namespace heed::config::completion {
namespace {

/// 'word:meaning', the format of zsh's _describe.
template <class Words>
std::string described(const Words& known) {
  std::string text;
  for (const CompletionWord& one : known) text += fmt::format(" '{}:{}'", one.word, one.meaning);
  return text;
}

}  // namespace

std::string zsh_script(const std::string& program, const std::vector<CompletionCommand>& commands) {
  std::string parts, options, values;
  for (const CompletionCommand& command : commands) {
    if (!command.parts.empty())
      parts += fmt::format("    ({}) known=({} ) ;;\n", command.word, described(command.parts));
    if (!command.options.empty())
      options += fmt::format("      ('{}') known=({} ) ;;\n", command.word, described(command.options));
  }
  each_choice(commands, [&](const CompletionCommand& command, const CompletionOption& option) {
    values += fmt::format("    ('{} {}') known=({}) ;;\n", command.word, option.word, fmt::join(option.choices, " "));
  });
  return fmt::format(R"(#compdef {0}
# Completes command lines of {0} in zsh.
_{0}() {{
  local command=$words[2] option
  local -a known typed
  if ((CURRENT == 2)); then
    known=({4} '--version:prints the version' )
    _describe -t commands command known
    return
  fi
  case $command in
{1}  esac
  if (($#known)); then
    if ((CURRENT == 3)); then
      _describe -t commands command known
      return
    fi
    command="$command $words[3]"
    known=()
  fi
  if [[ $words[CURRENT] == -* ]]; then
    case $command in
{2}    esac
    _describe -o -t options option known
    return
  fi
  typed=("${{(@)words[2,CURRENT-1]}}")
  option=${{typed[(R)-*]}}
  case "$command $option" in
{3}  esac
  if (($#known)); then
    compadd -a known
  else
    _files
  fi
}}
compdef _{0} {0}
)",
                     program, parts, options, values, described(first_words(commands)));
}

}  // namespace heed::config::completion
