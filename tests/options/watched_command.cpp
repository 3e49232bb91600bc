#include "options/watched_command.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/files/atomic_file.h"
#include "options/without.h"
#include "support/temporary_directory.h"

namespace heed::options_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Sends what is written to a descriptor to a file for as long as it lives.
class Redirected {
 public:
  Redirected(int descriptor, const std::string& path) : descriptor_(descriptor), kept_(dup(descriptor)) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, descriptor_);
    close(file);
  }
  ~Redirected() {
    std::fflush(nullptr);
    dup2(kept_, descriptor_);
    close(kept_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int descriptor_, kept_;
};

/// `value` with the folder that may be written.
std::string placed(const std::string& value, const std::string& folder) {
  return value.starts_with(kWritten) ? folder + "/" + value.substr(std::string_view(kWritten).size()) : value;
}

void append(Words& words, const std::string& name, const Words& values, bool apart) {
  if (values.size() == 1 && !apart) return words.push_back(fmt::format("--{}={}", name, values[0]));
  if (!apart) words.push_back("--" + name);
  for (const std::string& value : values) {
    if (apart) words.push_back("--" + name);
    words.push_back(value);
  }
}

Words words_of(const std::string& name, const Settings& settings, const std::string& folder) {
  std::istringstream names(name);
  Words words{std::istream_iterator<std::string>(names), {}}, last;
  const config::Command command = command_named(name);
  const config::OptionList list = config::list_options(command.options);
  for (const auto& [option, given] : settings) {
    Words values;
    for (const std::string& value : given) values.push_back(placed(value, folder));
    if (option == kPositionals)
      last = values;
    else if (!values.empty())
      append(words, option, values,
             list.find(option)->kind == ValueKind::List && command.positionals == config::Positionals::Allowed);
  }
  words.insert(words.end(), last.begin(), last.end());
  return words;
}

std::string files_below(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::string content;
  for (const std::string& path : paths) content += path.substr(folder.size()) + ":\n" + read_file(path);
  return content;
}

}  // namespace

std::vector<config::Command> all_commands() {
  using namespace apps;
  return {train_command(),  translate_command(), evaluate_command(),   rerank_command(),  score_command(),
          align_command(),  average_command(),   generate_command(),   predict_command(), tokenize_command(),
          import_command(), export_command(),    embeddings_command(), bpe_command(),     spm_command()};
}

config::Command command_named(const std::string& name) {
  const size_t space = name.find(' ');
  auto commands = all_commands();
  config::Command command = *std::ranges::find(commands, name.substr(0, space), &config::Command::name);
  if (space == std::string::npos) return command;
  return *std::ranges::find(command.parts, name.substr(space + 1), &config::Command::name);
}

std::string written_by(const std::string& command, const Settings& settings) {
  const testing::TemporaryDirectory streams, folder;
  int code = 0;
  {
    const Words words = words_of(command, settings, folder.path());
    const auto commands = all_commands();
    const Redirected output(STDOUT_FILENO, streams.file("output")), errors(STDERR_FILENO, streams.file("errors"));
    code = apps::run_guarded(
        [&] { return apps::run_program({.name = "heed", .summary = {}, .closing = {}}, commands, words); });
  }
  return without(fmt::format("exit code {}\n{}{}{}", code, read_file(streams.file("output")),
                             read_file(streams.file("errors")), files_below(folder.path())),
                 folder.path());
}

}  // namespace heed::options_test
