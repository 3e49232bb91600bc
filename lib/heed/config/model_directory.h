// Opens a trained model.
#pragma once

#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "heed/config/run_options.h"
#include "heed/models/model.h"
#include "heed/text/tokenizer.h"

namespace heed::config {

/// What using a finished model needs of its config.toml.
struct ModelOptions {
  models::ArchitectureOptions arch;
  TranslateOptions search;
};
/// Options of training are not looked at: those that another version of heed had do not matter. Throws ConfigError,
/// FileError.
ModelOptions read_model_options(const std::string& path);

struct OpenedModel {
  ModelOptions options;
  text::Tokenizers tokenizers;
  std::shared_ptr<models::Model> model;  ///< on the device, in evaluation mode
  std::string parameters;                ///< the file that they were read from
};

/// Opens a model directory. checkpoint: "" (the finished model), "best", "last", "averaged" or the number of an update.
/// Throws CheckpointError, FileError, ConfigError when something is missing or damaged.
OpenedModel open_model(const std::string& directory, const std::string& checkpoint, at::Device device);

/// The two vocabularies of a model with these tokenizers.
models::VocabularySizes vocabulary_sizes(const text::Tokenizers& tokenizers);

}  // namespace heed::config
