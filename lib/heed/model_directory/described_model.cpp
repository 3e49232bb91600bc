#include "heed/model_directory/described_model.h"

#include "heed/core/error.h"
#include "heed/text/tokenizers/tokenizer_files.h"

namespace heed::config {

DescribedModel read_described_model(const std::string& directory) {
  const std::string settings = directory + "/config.toml";
  DescribedModel described{.options = read_model_options(settings), .tokenizers = text::load_tokenizers(directory)};
  try {
    models::validate(described.options.arch, vocabulary_sizes(described.tokenizers));
  } catch (const ConfigError& error) {
    throw CheckpointError(settings, error.what());
  }
  return described;
}

}  // namespace heed::config
