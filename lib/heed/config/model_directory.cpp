#include "heed/config/model_directory.h"

#include <filesystem>

#include "heed/checkpoint/named_tensors.h"
#include "heed/checkpoint/run_directory.h"
#include "heed/checkpoint/tensor_file.h"
#include "heed/core/error.h"
#include "heed/text/tokenizer_files.h"

namespace heed::config {

models::VocabularySizes vocabulary_sizes(const text::Tokenizers& tokenizers) {
  return {.source = tokenizers.source ? tokenizers.source->size() : 0, .target = tokenizers.target->size()};
}

OpenedModel open_model(const std::string& directory, const std::string& checkpoint, at::Device device) {
  const std::string path = checkpoint::pick_checkpoint(directory, checkpoint);
  OpenedModel opened;
  opened.options = read_saved_options(directory + "/config.toml");
  opened.tokenizers = text::load_tokenizers(directory);
  const auto& options = opened.options;
  opened.model =
      models::build_model(options.arch, vocabulary_sizes(opened.tokenizers), static_cast<uint64_t>(options.seed));
  checkpoint::load_into(*opened.model, checkpoint::read_tensors(path).tensors, path);
  opened.model->to(device);
  opened.model->eval();
  return opened;
}

}  // namespace heed::config
