#include "heed_torch/config/setup/training_model.h"

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <ATen/ATen.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/data/encoded/source_statistics.h"
#include "heed_torch/config/model_directory.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/embedding_vectors.h"
#include "heed_torch/config/setup/source_vectors.h"
#include "heed_torch/nn/attention/idf_table.h"
#include "heed_torch/nn/initialization.h"
#include "heed_torch/nn/lora.h"
#include "heed_torch/training/parameter_patterns.h"

namespace heed::config {
namespace {

/// Counts the document frequencies for static attention weights.
void count_documents(models::Model& model, const data::EncodedCorpus& corpus) {
  const auto lines_with = data::source_document_frequencies(corpus, model.sizes().source);
  nn::set_document_frequencies(model, torch::tensor(lines_with, at::kLong), corpus.size());
}

/// Measures mean and standard deviation of each number that the head predicts.
void measure_numbers(models::NumberHead& head, const data::EncodedCorpus& corpus) {
  const auto count = static_cast<size_t>(corpus.target_length(0));
  std::vector<double> sums(count), squares(count);
  for (int64_t pair = 0; pair < corpus.size(); ++pair) {
    const auto numbers = std::get<text::Numbers>(corpus.target(pair));
    for (size_t i = 0; i < count; ++i) {
      const double number = numbers.values[i];
      sums[i] += number;
      squares[i] += number * number;
    }
  }
  const at::Tensor mean = torch::tensor(sums, at::kDouble) / corpus.size();
  const at::Tensor variance = torch::tensor(squares, at::kDouble) / corpus.size() - mean.square();
  head.set_statistics(mean, variance.clamp_min(0).sqrt());
}

void measure(models::Model& model, const data::EncodedCorpus& corpus) {
  if (nn::has_idf_table(model)) count_documents(model, corpus);
  if (auto* head = dynamic_cast<models::NumberHead*>(model.head.get())) measure_numbers(*head, corpus);
  if (corpus.vectors()) measure_vectors(model, *corpus.vectors());
}

void adapt(models::Model& model, const nn::LoraOptions& lora) {
  if (nn::add_lora(model, lora) == 0) {
    throw ConfigError("train.adapter.target-modules",
                      "names no projection of this model: LoRA adapts the attention and feed-forward layers of "
                      "Transformers");
  }
  training::train_beside_lora(model, lora.beside);
}

/// Leaves only those parameters trainable that the options name.
void choose_trained(models::Model& model, const training::TrainOptions& options) {
  if (const auto* lora = std::get_if<nn::LoraOptions>(&options.adapter)) adapt(model, *lora);
  if (!options.freeze.empty()) training::freeze_parameters(model, options.freeze);
}

/// Bytes of a file, or of all files in a directory and its subdirectories; files that vanish meanwhile count 0. A
/// missing path has 0 bytes.
int64_t bytes_of_files(const std::string& path) {
  namespace fs = std::filesystem;
  const auto size_of = [](const fs::path& file) -> int64_t {
    std::error_code gone;
    const auto size = fs::is_regular_file(file, gone) ? fs::file_size(file, gone) : 0;
    return gone ? 0 : static_cast<int64_t>(size);
  };
  int64_t bytes = is_regular_file(path) ? static_cast<int64_t>(size_of_file(path)) : 0;
  std::error_code none;
  for (fs::recursive_directory_iterator entry(path, none), end; !none && entry != end; entry.increment(none)) {
    bytes += size_of(entry->path());
  }
  return bytes;
}

/// Checks the model against `part` of a model directory, if that exists.
void check_size(const RunOptions& options, const models::VocabularySizes& sizes, const std::string& directory,
                const std::string& part) {
  const int64_t bytes = bytes_of_files(directory + part);
  if (bytes > 0) check_described_size(options.arch, sizes, bytes, directory + part, directory);
}
/// Whether training resumes checkpoints of this network. start_rules.h refuses those of another, with its reasons.
bool resumes(const RunOptions& options) {
  const std::string saved = options.model + "/" + kConfigFile;
  return std::filesystem::exists(saved) && read_saved_options(saved).arch == options.arch;
}

}  // namespace

models::VocabularySizes smallest_vocabularies(const RunOptions& options) {
  constexpr int64_t kSize = text::kEos + 1;
  return {.source = options.corpus.has_source() ? kSize : 0, .target = kSize};
}

void validate_size(const RunOptions& options) {
  const models::VocabularySizes sizes = smallest_vocabularies(options);
  models::validate(options.arch, sizes);
  if (resumes(options)) {
    check_size(options, sizes, options.model, "/checkpoints");
  } else if (options.base.gives_weights()) {
    check_size(options, sizes, options.base.from, "/model.safetensors");
  }
}

void validate_trained(const RunOptions& options) {
  const training::TrainOptions& train = options.train;
  if (train.freeze.empty() && std::holds_alternative<training::NoAdapter>(train.adapter)) return;
  choose_trained(*std::make_shared<models::Model>(options.arch, smallest_vocabularies(options)), train);
}

std::shared_ptr<models::Model> make_training_model(const PreparedRun& run, const RunOptions& options) {
  const models::VocabularySizes sizes = vocabulary_sizes(run.tokenizers);
  if (resumes(options)) check_size(options, sizes, options.model, "/checkpoints");
  auto model = std::make_shared<models::Model>(options.arch, sizes);
  choose_trained(*model, options.train);
  nn::initialize(*model, options.arch.initialization, static_cast<uint64_t>(options.seed));
  if (run.corpus) measure(*model, *run.corpus);
  set_embedding_vectors(*model, run.tokenizers, run.vectors);
  freeze_embeddings(*model, options.vectors);
  if (run.base) take_weights(*model, run.tokenizers, *run.base);
  nn::keep_lora_bases(*model);
  model->to(run.device);
  return model;
}

}  // namespace heed::config
