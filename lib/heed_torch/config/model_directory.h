// Opens a trained model.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "heed/model_directory/model_options.h"
#include "heed/model_directory/published.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/models/model.h"

namespace heed::config {

/// Throws CheckpointError if the model that a directory's configuration describes takes more than twice `bytes`, which
/// are those of its parameters in `path`. A configuration from somebody else could claim any size.
void check_described_size(const models::ArchitectureOptions& arch, const models::VocabularySizes& sizes, int64_t bytes,
                          const std::string& path, const std::string& directory);

struct OpenedModel {
  ModelOptions options;
  text::Tokenizers tokenizers;
  std::shared_ptr<models::Model> model;  ///< on the device, in evaluation mode; null: not loaded yet
  std::string parameters;                ///< the file with the parameters
  std::string directory;
  std::string checkpoint;  ///< the requested checkpoint, as for open_model()
};

/// Reads everything in a model directory except the parameters, which load_model() reads. checkpoint: as for
/// open_model(). If a training publishes into the directory meanwhile, all files are still of one state of it
/// (heed/model_directory/published.h). Throws CheckpointError, FileError, ConfigError if something is missing or
/// damaged.
OpenedModel find_model(const std::string& directory, const std::string& checkpoint);
/// Picks the file of the requested checkpoint again if the file in `parameters` no longer exists.
void find_parameters(OpenedModel& found);
/// Returns `read(parameters)`, which reads the parameters' file of a model that was found. If a training has removed
/// that checkpoint meanwhile, find_parameters() picks the file again.
template <class Read>
auto read_parameters(OpenedModel& found, const Read& read) {
  return checkpoint::read_consistently(found.directory, [&] {
    find_parameters(found);
    return read(found.parameters);
  });
}
/// Reads the parameters of a model that was found. Throws CheckpointError, FileError.
void load_model(OpenedModel& found, at::Device device);

/// Opens a model directory. checkpoint: "" (the finished model), "best", "last", "averaged" or the number of a step.
/// Throws CheckpointError, FileError, ConfigError if something is missing or damaged.
OpenedModel open_model(const std::string& directory, const std::string& checkpoint, at::Device device);

}  // namespace heed::config
