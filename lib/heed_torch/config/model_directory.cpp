#include "heed_torch/config/model_directory.h"

#include <filesystem>
#include <utility>

#include "heed/model_directory/described_model.h"
#include "heed_torch/checkpoint/named_tensors.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/checkpoint/tensor_budget.h"
#include "heed_torch/checkpoint/tensor_file.h"

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

/// Builds the model. Throws CheckpointError before allocating it if it is far larger than the parameters in the file.
std::shared_ptr<models::Model> build(const OpenedModel& found, const checkpoint::NamedTensors& tensors,
                                     const std::string& parameters) {
  const checkpoint::TensorBudget budget(parameters, checkpoint::bytes_of(tensors), found.directory + "/config.toml");
  return std::make_shared<models::Model>(found.options.arch, vocabulary_sizes(found.tokenizers));
}

void load_once(OpenedModel& found, const std::string& parameters, at::Device device) {
  const checkpoint::NamedTensors tensors = checkpoint::read_tensors(parameters).tensors;
  const auto model = build(found, tensors, parameters);
  checkpoint::load_into(*model, tensors, parameters);
  model->to(device);
  model->eval();
  found.model = model;
}

}  // namespace

OpenedModel find_model(const std::string& directory, const std::string& checkpoint) {
  return checkpoint::read_consistently(directory, [&] { return find_once(directory, checkpoint); });
}

void find_parameters(OpenedModel& found) {
  if (std::filesystem::exists(found.parameters)) return;
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
