#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/completion/completion.h"

namespace heed::config::completion {

std::string bash_script(const std::string& program, const std::vector<CompletionCommand>& commands) {
  std::string parts, options, values;
  for (const CompletionCommand& command : commands) {
    if (!command.parts.empty()) parts += fmt::format("    {}) echo {} ;;\n", command.word, joined(command.parts));
    if (!command.options.empty())
      options += fmt::format("    '{}') echo '{}' ;;\n", command.word, joined(command.options));
  }
  each_choice(commands, [&](const CompletionCommand& command, const CompletionOption& option) {
    values += fmt::format("    '{} {}') echo {} ;;\n", command.word, option.word, fmt::join(option.choices, " "));
  });
  return fmt::format(R"(# Completes command lines of {0} in bash.
_{0}_parts() {{
  case $1 in
{1}  esac
}}
_{0}_options() {{
  case $1 in
{2}  esac
}}
_{0}_values() {{
  case $1 in
{3}  esac
}}
_{0}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} parts option='' known i
  COMPREPLY=()
  parts=$(_{0}_parts "$command")
  if ((COMP_CWORD == 1)); then
    known='{4} --version'
  elif [[ -n $parts && $COMP_CWORD == 2 ]]; then
    known=$parts
  else
    [[ -n $parts ]] && command="$command ${{COMP_WORDS[2]}}"
    for ((i = COMP_CWORD - 1; i > 1; --i)); do
      if [[ ${{COMP_WORDS[i]}} == -* ]]; then
        option=${{COMP_WORDS[i]}}
        break
      fi
    done
    [[ $word == '=' ]] && word=''
    if [[ $word == -* ]]; then
      known=$(_{0}_options "$command")
    else
      known=$(_{0}_values "$command $option")
    fi
  fi
  while IFS= read -r i; do COMPREPLY+=("$i"); done < <(compgen -W "$known" -- "$word")
}}
complete -o bashdefault -o default -F _{0} {0}
)",
                     program, parts, options, values, joined(first_words(commands)));
}

}  // namespace heed::config::completion
