#include "heed/config/model_directory.h"

#include "heed/checkpoint/named_tensors.h"
#include "heed/checkpoint/run_directory.h"
#include "heed/checkpoint/tensor_file.h"
#include "heed/text/tokenizer_files.h"

namespace heed::config {

OpenedModel find_model(const std::string& directory, const std::string& checkpoint) {
  OpenedModel found;
  found.parameters = checkpoint::pick_checkpoint(directory, checkpoint);
  found.options = read_model_options(directory + "/config.toml");
  found.tokenizers = text::load_tokenizers(directory);
  return found;
}

void load_model(OpenedModel& found, at::Device device) {
  const auto model = std::make_shared<models::Model>(found.options.arch, vocabulary_sizes(found.tokenizers));
  checkpoint::load_into(*model, checkpoint::read_tensors(found.parameters).tensors, found.parameters);
  model->to(device);
  model->eval();
  found.model = model;
}

OpenedModel open_model(const std::string& directory, const std::string& checkpoint, at::Device device) {
  OpenedModel opened = find_model(directory, checkpoint);
  load_model(opened, device);
  return opened;
}

}  // namespace heed::config
