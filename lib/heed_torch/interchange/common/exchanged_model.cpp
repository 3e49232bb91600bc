#include "heed_torch/interchange/common/exchanged_model.h"

#include <fmt/format.h>

#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/model_directory.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/config/run_settings.h"

namespace heed::interchange {
namespace {

std::string file_name(const char* side, const text::Tokenizer& tokenizer) {
  return fmt::format("{}.{}", side, tokenizer.file_ending());
}

/// The options of a training that would have made the model, as far as they are known.
config::RunOptions run_options(const ExchangedModel& model, const std::string& directory) {
  config::RunOptions options;
  options.arch = model.arch;
  options.search.search = model.search;
  options.model = directory;
  const auto path = [&](const char* side, const text::Tokenizer& tokenizer) {
    return directory + "/" + file_name(side, tokenizer);
  };
  config::ExistingTokenizers given;
  given.source = path("source", *model.tokenizers.source);
  if (model.tokenizers.source != model.tokenizers.target) given.target = path("target", *model.tokenizers.target);
  options.text.tokenizers = given;
  return options;
}

}  // namespace

void require_whole(const ExchangedModel& model, const std::string& path) {
  const models::VocabularySizes sizes = config::vocabulary_sizes(model.tokenizers);
  models::validate(model.arch, sizes);
  checkpoint::check_fit(models::parameter_shapes(model.arch, sizes), model.tensors, path);
}

ExchangedModel read_model_directory(const std::string& directory) {
  const config::OpenedModel opened = config::open_model(directory, "", at::kCPU);
  ExchangedModel model{.arch = opened.options.arch,
                       .search = opened.options.search.search,
                       .tokenizers = opened.tokenizers,
                       .tensors = checkpoint::named_tensors(*opened.model),
                       .left_out = {}};
  return model;
}

void write_model_directory(const ExchangedModel& model, const std::string& directory, const std::string& final_name) {
  checkpoint::RunDirectory output(directory);
  output.write(config::kConfigFile, config::format_options(run_options(model, final_name)));
  output.write(file_name("source", *model.tokenizers.source), model.tokenizers.source->serialized());
  output.write(file_name("target", *model.tokenizers.target), model.tokenizers.target->serialized());
  output.write_model(model.tensors, {.chosen = "imported", .steps = {}, .scores = {}});
}

}  // namespace heed::interchange
