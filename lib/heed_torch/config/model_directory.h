// Opens a trained model.
#pragma once

#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "heed/model_directory/model_options.h"
#include "heed/model_directory/published.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/models/model.h"

namespace heed::config {

struct OpenedModel {
  ModelOptions options;
  text::Tokenizers tokenizers;
  std::shared_ptr<models::Model> model;  ///< on the device, in evaluation mode; null: not loaded yet
  std::string parameters;                ///< the file that they are read from
  std::string directory;
  std::string checkpoint;  ///< that was asked for: as for open_model()
};

/// What is read while a training publishes into the directory is of one state of it (heed/model_directory/published.h).
///
/// All of a model directory but the parameters, which load_model() reads. checkpoint: as for open_model(). Throws
/// CheckpointError, FileError, ConfigError when something is missing or damaged.
OpenedModel find_model(const std::string& directory, const std::string& checkpoint);
/// Sets `parameters` to the file that is now what was asked for, unless the file that was found is still there.
void find_parameters(OpenedModel& found);
/// Returns `read(parameters)`, which reads the file of the parameters of a model that was found. When a training has
/// removed that checkpoint since, find_parameters() picks the file again.
template <class Read>
auto read_parameters(OpenedModel& found, const Read& read) {
  return checkpoint::read_published(found.directory, [&] {
    find_parameters(found);
    return read(found.parameters);
  });
}
/// Reads the parameters of a model that was found. Throws CheckpointError, FileError.
void load_model(OpenedModel& found, at::Device device);

/// Opens a model directory. checkpoint: "" (the finished model), "best", "last", "averaged" or the number of an update.
/// Throws CheckpointError, FileError, ConfigError when something is missing or damaged.
OpenedModel open_model(const std::string& directory, const std::string& checkpoint, at::Device device);

}  // namespace heed::config
