#include "heed/config/model_directory.h"

#include <filesystem>

#include "heed/checkpoint/named_tensors.h"
#include "heed/checkpoint/run_directory.h"
#include "heed/checkpoint/tensor_file.h"
#include "heed/config/command_line/settings_file.h"
#include "heed/core/error.h"
#include "heed/text/tokenizer_files.h"

namespace heed::config {

models::VocabularySizes vocabulary_sizes(const text::Tokenizers& tokenizers) {
  return {.source = tokenizers.source ? tokenizers.source->size() : 0, .target = tokenizers.target->size()};
}

void describe(ModelOptions& o, OptionVisitor& visit) {
  visit.section("arch", o.arch, "architecture of the model");
  visit.section("search", o.search, "search: defaults of the model's translations");
}

ModelOptions read_model_options(const std::string& path) {
  Layer settings = read_settings(path);
  std::erase_if(settings, [](const Setting& setting) {
    return !setting.name.starts_with("arch.") && !setting.name.starts_with("search.");
  });
  ModelOptions options;
  apply_layers(walk_of(options), {settings});
  return options;
}

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
