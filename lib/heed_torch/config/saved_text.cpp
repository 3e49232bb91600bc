#include "heed_torch/config/saved_text.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/shell_word.h"
#include "heed/data/corpus/rereadable_files.h"
#include "heed/report/json_lines_observer.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/distributed/launch.h"

namespace heed::config {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The path in `folder`; none: it does not lead to a file.
std::optional<std::string> in_folder(const std::optional<std::string>& folder, const std::string& path) {
  if (!folder || fs::path(path).is_absolute() || !is_there(fs::path(*folder) / path)) return std::nullopt;
  return fs::path(*folder) / path;
}

class SavedText {
 public:
  SavedText(std::string model, const Layer& command_line) : model_(std::move(model)), command_line_(command_line) {}

  /// files: what the training will read. saved: the same of config.toml. prefix: of the options' names.
  void find(data::CorpusFiles& files, const data::CorpusFiles& saved, const std::string& prefix) {
    find_list(files.source, saved.source, prefix + "source");
    find_list(files.target, saved.target, prefix + "target");
    find_list(files.pairs, saved.pairs, prefix + "pairs");
    find_list(files.weights, saved.weights, prefix + "weights");
    find_one(files.vectors, saved.vectors, prefix + "source-vectors");
    find_one(files.pictures, saved.pictures, prefix + "source-pictures");
    find_one(files.sounds, saved.sounds, prefix + "source-sounds");
  }
  void report() const {
    if (found_.empty()) return;
    log_info(fmt::format("reads {} from {}, where the training was started", listed(found_, "and"), *folder()));
  }

 private:
  void find_list(std::vector<std::string>& paths, const std::vector<std::string>& saved, const std::string& option) {
    if (is_given(option) || paths != saved) return;
    for (std::string& path : paths) find_path(path, option);
  }
  void find_one(std::string& path, const std::string& saved, const std::string& option) {
    if (!path.empty() && !is_given(option) && path == saved) find_path(path, option);
  }
  bool is_given(const std::string& option) const {
    return std::ranges::find(command_line_, option, &Setting::name) != command_line_.end();
  }

  void find_path(std::string& path, const std::string& option) {
    if (path == "-" || is_there(path)) return;
    const auto now = in_folder(folder(), path);
    if (!now) fail(path, option);
    found_.push_back(path);
    path = *now;
  }

  [[noreturn]] void fail(const std::string& path, const std::string& option) const {
    std::string looked;
    if (!fs::path(path).is_absolute()) {
      looked = fmt::format(" and was looked for in {}, the current folder", fs::current_path().string());
      if (folder()) looked += fmt::format(", and in {}, where the training was started", *folder());
    }
    const std::string config = model_ + "/" + kConfigFile;
    throw Error(
        fmt::format("{}: there is no such file; {} names it as `{}`{}; to name another place: `heed train --model {} "
                    "--{} FILE`",
                    path, config, option, looked, shell_path(model_), option));
  }

  /// Read when a file is missing: a history may be long.
  const std::optional<std::string>& folder() const {
    if (!folder_) {
      const std::string history = model_ + "/" + kHistoryFile;
      folder_ = is_there(history) ? report::folder_of_start(read_regular_file(history)) : std::nullopt;
    }
    return *folder_;
  }

  std::string model_;
  const Layer& command_line_;
  mutable std::optional<std::optional<std::string>> folder_;  // none: not read yet
  std::vector<std::string> found_;
};

}  // namespace

void find_saved_text(RunOptions& options, const Layer& command_line) {
  const std::string config = options.model + "/" + kConfigFile;
  if (options.model.empty() || !is_there(config)) return;
  if (options.distributed.launcher == distributed::Launcher::Auto &&
      distributed::launch_of(distributed::process_environment())) {
    return;  // ranks read config.toml each for itself, and some may need no text
  }
  const RunOptions saved = read_saved_options(config);
  SavedText text(options.model, command_line);
  const auto find = [&](data::CorpusFiles& files, const data::CorpusFiles& before, const std::string& copies,
                        const std::string& prefix) {
    // Copies of streams move with the directory.
    const std::string place = options.model + "/" + copies;
    files = data::found_again(files, place);
    text.find(files, data::found_again(before, place), prefix);
  };
  find(options.corpus, saved.corpus, "train.text", "");
  find(options.valid_corpus, saved.valid_corpus, "valid.text", "valid-");
  text.report();
}

}  // namespace heed::config
