#include "heed/config/model_directory.h"

#include <filesystem>

#include "heed/checkpoint/named_tensors.h"
#include "heed/checkpoint/run_directory.h"
#include "heed/checkpoint/tensor_file.h"
#include "heed/text/tokenizer_files.h"

namespace heed::config {

namespace {

OpenedModel find_once(const std::string& directory, const std::string& checkpoint) {
  OpenedModel found;
  found.directory = directory;
  found.checkpoint = checkpoint;
  found.parameters = checkpoint::pick_checkpoint(directory, checkpoint);
  found.options = read_model_options(directory + "/config.toml");
  found.tokenizers = text::load_tokenizers(directory);
  return found;
}

void load_once(OpenedModel& found, const std::string& parameters, at::Device device) {
  const auto model = std::make_shared<models::Model>(found.options.arch, vocabulary_sizes(found.tokenizers));
  checkpoint::load_into(*model, checkpoint::read_tensors(parameters).tensors, parameters);
  model->to(device);
  model->eval();
  found.model = model;
}

}  // namespace

OpenedModel find_model(const std::string& directory, const std::string& checkpoint) {
  return checkpoint::read_published(directory, [&] { return find_once(directory, checkpoint); });
}

void find_parameters(OpenedModel& found) {
  if (std::filesystem::exists(found.parameters)) return;
  found.parameters = checkpoint::pick_checkpoint(found.directory, found.checkpoint);
}

void load_model(OpenedModel& found, at::Device device) {
  read_parameters(found, [&](const std::string& parameters) { load_once(found, parameters, device); });
}

OpenedModel open_model(const std::string& directory, const std::string& checkpoint, at::Device device) {
  return checkpoint::read_published(directory, [&] {
    OpenedModel opened = find_once(directory, checkpoint);
    load_once(opened, opened.parameters, device);
    return opened;
  });
}

}  // namespace heed::config
