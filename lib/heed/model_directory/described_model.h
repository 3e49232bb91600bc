// The description of a model in a model directory, without its parameters and without LibTorch.
#pragma once

#include <string>

#include "heed/model_directory/model_options.h"
#include "heed/text/tokenizer.h"

namespace heed::config {

struct DescribedModel {
  ModelOptions options;
  text::Tokenizers tokenizers;
};

/// Reads config.toml and the tokenizers of a finished model. Throws ConfigError, FileError and CheckpointError.
/// CheckpointError also means that options or vocabularies contradict each other, which no training writes.
DescribedModel read_described_model(const std::string& directory);

}  // namespace heed::config
