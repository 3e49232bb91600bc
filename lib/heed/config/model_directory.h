// Opens a trained model.
#pragma once

#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "heed/config/model_options.h"
#include "heed/models/model.h"
#include "heed/text/tokenizer.h"

namespace heed::config {

struct OpenedModel {
  ModelOptions options;
  text::Tokenizers tokenizers;
  std::shared_ptr<models::Model> model;  ///< on the device, in evaluation mode; null: not loaded yet
  std::string parameters;                ///< the file that they are read from
};

/// All of a model directory but the parameters, which load_model() reads. checkpoint: as for open_model(). Throws
/// CheckpointError, FileError, ConfigError when something is missing or damaged.
OpenedModel find_model(const std::string& directory, const std::string& checkpoint);
/// Reads the parameters of a model that was found. Throws CheckpointError, FileError.
void load_model(OpenedModel& found, at::Device device);

/// Opens a model directory. checkpoint: "" (the finished model), "best", "last", "averaged" or the number of an update.
/// Throws CheckpointError, FileError, ConfigError when something is missing or damaged.
OpenedModel open_model(const std::string& directory, const std::string& checkpoint, at::Device device);

}  // namespace heed::config
