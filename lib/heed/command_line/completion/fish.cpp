#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/completion/completion.h"

namespace heed::config::completion {

std::string fish_script(const std::string& program, const std::vector<CompletionCommand>& commands) {
  std::string script = fmt::format(R"(# Completes command lines of {0} in fish.
function __{0}_is --description 'whether the command line so far is of this command'
    set -l words (commandline -opc)
    set -e words[1]
    for word in $argv
        test "$words[1]" = "$word"; or return 1
        set -e words[1]
    end
end
function __{0}_ends --description 'whether the command line so far is this and no more'
    set -l words (commandline -opc)
    test (count $words) -eq (math 1 + (count $argv)); and __{0}_is $argv
end
)",
                                   program);
  const auto add_words = [&](const std::string& before, const std::vector<CompletionWord>& words) {
    for (const CompletionWord& one : words) {
      script += fmt::format("complete -c {0} -f -n '__{0}_ends{1}' -a {2} -d '{3}'\n", program, before, one.word,
                            one.meaning);
    }
  };
  add_words("", first_words(commands));
  for (const CompletionCommand& command : commands) {
    add_words(' ' + command.word, command.parts);
    for (const CompletionOption& option : command.options) {
      const std::string values = option.flag              ? ""
                                 : option.choices.empty() ? " -r"
                                                          : fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
      script += fmt::format("complete -c {0} -n '__{0}_is {1}' -l {2}{3} -d '{4}'\n", program, command.word,
                            option.word.substr(2), values, option.meaning);
    }
  }
  return script;
}

}  // namespace heed::config::completion
