#include "heed_torch/config/setup/training_run.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed_torch/config/model_directory.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/run_corpora.h"
#include "heed_torch/config/setup/run_tokenizers.h"

namespace heed::config {
namespace {

/// The files with the vectors that rank 0 made from images or audio.
data::CorpusFiles with_converted(data::CorpusFiles files, const std::string& path) {
  if (!files.pictures.empty() || !files.sounds.empty()) files.vectors = path + ".safetensors";
  return files;
}

/// Waits until this rank sees a file that rank 0 has written. On network file systems this may take a while.
void wait_for_file(const std::string& path, int64_t rank) {
  constexpr std::chrono::milliseconds kPause(200), kPatience(60'000);
  for (auto waited = kPause; !std::filesystem::exists(path); waited += kPause) {
    if (waited > kPatience) {
      throw Error(
          fmt::format("rank {} does not see {}, which rank 0 has written: the model directory must be on a disk "
                      "that all ranks share",
                      rank, path));
    }
    std::this_thread::sleep_for(kPause);
  }
}

/// The text that this rank receives of the stream that rank 0 reads.
std::shared_ptr<const data::TrainingText> received_text(const PreparedRun& run, const RunOptions& options,
                                                        const text::Tokenizers& tokenizers) {
  return std::make_shared<data::ReceivedText>(run.ranks->open_broadcast(), data::form_of(tokenizers, options.corpus),
                                              options.data.corpus);
}

/// The model directory that rank 0 writes.
class SeenDirectory {
 public:
  SeenDirectory(const PreparedRun& run, const RunOptions& options) : path_(options.model), rank_(run.ranks->rank()) {}

  std::string file(const std::string& name) const { return fmt::format("{}/{}", path_, name); }
  /// described: by rank 0.
  CorpusPlace train(const RunOptions& described) const {
    return {.path = file("train.corpus"), .files = with_converted(described.corpus, file("train.vectors"))};
  }
  CorpusPlace valid(const RunOptions& described) const {
    return {.path = file("valid.corpus"), .files = with_converted(described.valid_corpus, file("valid.vectors"))};
  }
  void wait_for(const std::string& name) const { wait_for_file(file(name), rank_); }

 private:
  std::string path_;
  int64_t rank_;
};

}  // namespace

void help_rank_0(PreparedRun& run, const RunOptions& options) {
  if (data::shuffle_buffer_of(options.data.stream) || !asked_to_encode(*run.ranks)) return;
  const SeenDirectory directory(run, options);
  directory.wait_for(kConfigFile);
  help_encode(directory.train(run.description.options), text::load_tokenizers(options.model), options, run.threads,
              *run.ranks);
}

void follow_rank_0(PreparedRun& run, const RunOptions& options) {
  const SeenDirectory directory(run, options);
  const bool is_stored = !data::shuffle_buffer_of(options.data.stream);
  if (is_stored) directory.wait_for("train.corpus");
  directory.wait_for(kConfigFile);
  const RunOptions& described = run.description.options;
  const text::Tokenizers tokenizers = text::load_tokenizers(options.model);
  run.tokenizers = sampling_tokenizers(tokenizers, options.text);
  if (is_stored) {
    run.corpus = opened_corpus(directory.train(described), tokenizers, options);
    run.text = std::make_shared<data::StoredText>(run.corpus);
  } else {
    run.text = received_text(run, options, tokenizers);
  }
  if (described.valid_corpus == data::CorpusFiles{}) return;
  run.validation = opened_validation_set(directory.valid(described), tokenizers, options);
}

}  // namespace heed::config
