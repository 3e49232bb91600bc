#include "heed/config/model_directory.h"

#include "heed/checkpoint/named_tensors.h"
#include "heed/checkpoint/run_directory.h"
#include "heed/checkpoint/tensor_file.h"
#include "heed/text/tokenizer_files.h"

namespace heed::config {

OpenedModel open_model(const std::string& directory, const std::string& checkpoint, at::Device device) {
  const std::string path = checkpoint::pick_checkpoint(directory, checkpoint);
  OpenedModel opened;
  opened.parameters = path;
  opened.options = read_model_options(directory + "/config.toml");
  opened.tokenizers = text::load_tokenizers(directory);
  opened.model = std::make_shared<models::Model>(opened.options.arch, vocabulary_sizes(opened.tokenizers));
  checkpoint::load_into(*opened.model, checkpoint::read_tensors(path).tensors, path);
  opened.model->to(device);
  opened.model->eval();
  return opened;
}

}  // namespace heed::config
