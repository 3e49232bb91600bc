// What a model directory says of its model before the parameters are read; without torch.
#pragma once

#include <string>

#include "heed/model_directory/model_options.h"
#include "heed/text/tokenizer.h"

namespace heed::config {

struct DescribedModel {
  ModelOptions options;
  text::Tokenizers tokenizers;
};

/// Reads config.toml and the tokenizers of a finished model. Throws ConfigError, FileError and CheckpointError, and
/// CheckpointError where the options contradict each other or the vocabularies: no training wrote them.
DescribedModel read_described_model(const std::string& directory);

}  // namespace heed::config
