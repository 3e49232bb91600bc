#include "heed_torch/config/model_directory.h"

#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/model_directory/described_model.h"
#include "heed_torch/checkpoint/named_tensors.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/config/run_settings.h"

namespace heed::config {

namespace {

OpenedModel find_once(const std::string& directory, const std::string& checkpoint) {
  OpenedModel found;
  found.directory = directory;
  found.checkpoint = checkpoint;
  found.parameters = checkpoint::pick_checkpoint(directory, checkpoint);
  DescribedModel described = read_described_model(directory);
  found.options = std::move(described.options);
  found.tokenizers = std::move(described.tokenizers);
  return found;
}

void load_once(OpenedModel& found, const std::string& parameters, at::Device device) {
  const checkpoint::NamedTensors tensors = checkpoint::read_tensors(parameters).tensors;
  const models::VocabularySizes sizes = vocabulary_sizes(found.tokenizers);
  check_described_size(found.options.arch, sizes, checkpoint::bytes_of(tensors), parameters, found.directory);
  const auto model = std::make_shared<models::Model>(found.options.arch, sizes);
  checkpoint::load_into(*model, tensors, parameters);
  model->to(device);
  model->eval();
  found.model = model;
}

}  // namespace

void check_described_size(const models::ArchitectureOptions& arch, const models::VocabularySizes& sizes, int64_t bytes,
                          const std::string& path, const std::string& directory) {
  double described = 0;  // a double holds what would overflow an int64_t
  for (const auto& [name, shape] : models::parameter_shapes(arch, sizes)) {
    described += std::accumulate(shape.begin(), shape.end(), double{sizeof(float)}, std::multiplies{});
  }
  if (described <= 2 * static_cast<double>(bytes)) return;
  throw CheckpointError(path, fmt::format("has {} bytes, but the model that {}/{} describes takes more than twice as "
                                          "many",
                                          bytes, directory, kConfigFile));
}

OpenedModel find_model(const std::string& directory, const std::string& checkpoint) {
  return checkpoint::read_consistently(directory, [&] { return find_once(directory, checkpoint); });
}

void find_parameters(OpenedModel& found) {
  if (path_exists(found.parameters)) return;
  found.parameters = checkpoint::pick_checkpoint(found.directory, found.checkpoint);
}

void load_model(OpenedModel& found, at::Device device) {
  read_parameters(found, [&](const std::string& parameters) { load_once(found, parameters, device); });
}

OpenedModel open_model(const std::string& directory, const std::string& checkpoint, at::Device device) {
  return checkpoint::read_consistently(directory, [&] {
    OpenedModel opened = find_once(directory, checkpoint);
    load_once(opened, opened.parameters, device);
    return opened;
  });
}

}  // namespace heed::config
