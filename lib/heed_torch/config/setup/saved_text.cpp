#include "heed_torch/config/setup/saved_text.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/shell_word.h"
#include "heed/data/corpus/spooled_files.h"
#include "heed/model_directory/manifest.h"
#include "heed/report/json_lines_observer.h"
#include "heed_torch/checkpoint/checkpoints.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/join_ranks.h"
#include "heed_torch/distributed/launch.h"

namespace heed::config {
namespace {

namespace fs = std::filesystem;

/// The path in `folder`; absent: it does not lead to a file.
std::optional<std::string> in_folder(const std::optional<std::string>& folder, const std::string& path) {
  if (!folder || fs::path(path).is_absolute() || !path_exists(fs::path(*folder) / path)) return std::nullopt;
  return fs::path(*folder) / path;
}

/// The folder in which the training of a model directory was started; none: not known.
std::optional<std::string> folder_of_start(const std::string& model) {
  if (path_exists(model + "/manifest.json")) {
    std::string folder = checkpoint::read_manifest(model).folder;
    if (!folder.empty()) return folder;
  }
  // Older versions wrote it only there.
  const std::string history = model + "/" + kHistoryFile;
  return path_exists(history) ? report::folder_of_start(read_regular_file(history)) : std::nullopt;
}

/// The tokenizer of validation's BLEU; null: none.
std::string* scoring_tokenizer(RunOptions& options) {
  auto* translated = std::get_if<training::TranslateValidText>(&options.valid.translate);
  return translated && translated->bleu.tokenizer_model ? &*translated->bleu.tokenizer_model : nullptr;
}

/// The files that only a training reads that begins, by the names of their options.
std::vector<std::pair<std::string, std::string*>> files_of_beginning(RunOptions& options) {
  std::vector<std::pair<std::string, std::string*>> files{{"from", &options.base.from},
                                                          {"vectors.source", &options.vectors.source},
                                                          {"vectors.target", &options.vectors.target}};
  if (auto* given = std::get_if<ExistingTokenizers>(&options.text.tokenizers)) {
    files.emplace_back("text.source-tokenizer", &given->source);
    files.emplace_back("text.target-tokenizer", &given->target);
  }
  return files;
}

class SavedFiles {
 public:
  SavedFiles(std::string model, const Layer& command_line) : model_(std::move(model)), command_line_(command_line) {}

  /// files: what the training will read. saved: the same from config.toml. prefix: of the options' names.
  void find(data::CorpusFiles& files, const data::CorpusFiles& saved, const std::string& prefix) {
    find_list(files.source, saved.source, prefix + "source");
    find_list(files.target, saved.target, prefix + "target");
    find_list(files.pairs, saved.pairs, prefix + "pairs");
    find_list(files.weights, saved.weights, prefix + "weights");
    find_list(files.alignments, saved.alignments, prefix + "alignments");
    find_one(files.vectors, saved.vectors, prefix + "source-vectors");
    find_one(files.pictures, saved.pictures, prefix + "source-images");
    find_one(files.sounds, saved.sounds, prefix + "source-audio");
  }
  void find_one(std::string& path, const std::string& saved, const std::string& option) {
    if (!path.empty() && !is_given(option) && path == saved) find_path(path, option);
  }
  void find_list(std::vector<std::string>& paths, const std::vector<std::string>& saved, const std::string& option) {
    if (is_given(option) || paths != saved) return;
    for (std::string& path : paths) find_path(path, option);
  }
  void report() const {
    if (found_.empty()) return;
    log_info(fmt::format("reads {} from {}, where the training was started", listed(found_, "and"), *folder()));
  }

 private:
  bool is_given(const std::string& option) const {
    return std::ranges::find(command_line_, option, &Setting::name) != command_line_.end();
  }

  void find_path(std::string& path, const std::string& option) {
    if (path == "-" || path_exists(path)) return;
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
        fmt::format("{}: this file does not exist; {} names it as `{}`{}; to name another place: `heed train --model "
                    "{} --{} FILE`",
                    path, config, option, looked, shell_path(model_), option));
  }

  /// Read only when a file is missing, since a history may be long.
  const std::optional<std::string>& folder() const {
    if (!folder_) folder_ = folder_of_start(model_);
    return *folder_;
  }

  std::string model_;
  const Layer& command_line_;
  mutable std::optional<std::optional<std::string>> folder_;  // absent: not read yet
  std::vector<std::string> found_;
};

/// saved: of config.toml.
void find_other_files(RunOptions& options, RunOptions& saved, SavedFiles& files) {
  std::string* tokenizer = scoring_tokenizer(options);
  const std::string* saved_tokenizer = scoring_tokenizer(saved);
  if (tokenizer && saved_tokenizer) files.find_one(*tokenizer, *saved_tokenizer, "valid.tokenizer-model");
  files.find_list(options.train.teacher, saved.train.teacher, "train.teacher");
  if (checkpoint::has_checkpoints(options.model)) return;
  const auto before = files_of_beginning(saved);
  for (const auto& [option, path] : files_of_beginning(options)) {
    const auto same = std::ranges::find(before, option, [](const auto& file) { return file.first; });
    if (same != before.end()) files.find_one(*path, *same->second, option);
  }
}

}  // namespace

void find_saved_files(RunOptions& options, const Layer& command_line) {
  const std::string config = options.model + "/" + kConfigFile;
  if (options.model.empty() || !path_exists(config)) return;
  RunOptions saved = read_saved_options(config);
  SavedFiles files(options.model, command_line);
  const auto find = [&](data::CorpusFiles& corpus, const data::CorpusFiles& before, const std::string& copies,
                        const std::string& prefix) {
    // Copies of streams move with the directory.
    const std::string place = options.model + "/" + copies;
    corpus = data::found_again(corpus, place);
    files.find(corpus, data::found_again(before, place), prefix);
  };
  find(options.corpus, saved.corpus, "train.text", "");
  find(options.valid_corpus, saved.valid_corpus, "valid.text", "valid-");
  find_other_files(options, saved, files);
  files.report();
}

void find_saved_files(RunOptions& options, const Layer& command_line, distributed::RankGroup& ranks) {
  if (ranks.alone()) return find_saved_files(options, command_line);
  require_same_options(ranks, options);
  if (ranks.leads()) find_saved_files(options, command_line);
  const std::string leaders = ranks.broadcast(ranks.leads() ? format_options(options) : "");
  if (!ranks.leads()) options = parse_saved_options(leaders, "the options of rank 0");
}

RunOptions options_before(const std::string& model) {
  RunOptions saved = read_saved_options(model + "/" + kConfigFile);
  std::string* tokenizer = scoring_tokenizer(saved);
  if (tokenizer == nullptr || path_exists(*tokenizer)) return saved;
  if (auto found = in_folder(folder_of_start(model), *tokenizer)) *tokenizer = std::move(*found);
  return saved;
}

}  // namespace heed::config
