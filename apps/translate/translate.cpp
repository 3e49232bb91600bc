#include "translate/translate.h"

#include <future>
#include <utility>

#include "heed/api/engine_road.h"
#include "heed/api/purpose.h"
#include "heed/checkpoint/manifest.h"
#include "heed/checkpoint/published.h"
#include "heed/config/described_model.h"
#include "heed/engine/engine.h"
#include "program.h"
#include "translate/translate_lines.h"

namespace heed::apps {
namespace {

/// Whether something is asked for that only tensors do, whatever the model is; no_engine() knows the rest.
bool asks_for_tensors(const TranslateCommand& command, const TensorRoad& tensors) {
  return !tensors.is_cpu(command.use.device) || !command.use.checkpoint.empty() || command.chooses_attention() ||
         command.items.any();
}

/// What `open` gives, while another thread compares the checksums of the model directory, if there may be another: they
/// take as long as packing the weights. Throws CheckpointError of the checksums before what `open` throws.
template <class Open>
auto while_verified(const ModelUse& use, const Open& open) {
  const auto policy = api::threads_of(use.threads) > 1 ? std::launch::async : std::launch::deferred;
  auto verified = std::async(policy, [&] { checkpoint::finished_model(use.model); });
  try {
    auto opened = open();
    verified.get();
    return opened;
  } catch (...) {
    if (verified.valid()) verified.get();
    throw;
  }
}

/// A model directory, opened without tensors.
struct OpenedModel {
  config::ModelOptions options;
  text::Tokenizers tokenizers;
  std::shared_ptr<const translation::TranslationModel>
      model;  // null: the engine does not take it, or it is not finished
};
OpenedModel open_files(const TranslateCommand& command, const std::string& parameters) {
  config::DescribedModel described = config::read_described_model(command.use.model);
  OpenedModel opened{.options = described.options, .tokenizers = std::move(described.tokenizers), .model = nullptr};
  if (api::purpose_of(opened.options.arch) != api::Purpose::Translation || no_engine(command, opened.options.arch))
    return opened;
  opened.model = on_engine(command, opened.options, opened.tokenizers, parameters);
  return opened;
}

OpenedModel open_model(const TranslateCommand& command) {
  return checkpoint::read_published(command.use.model, [&]() -> OpenedModel {
    const auto parameters = checkpoint::finished_model(command.use.model, checkpoint::Verify::Sizes);
    if (!parameters) return {};
    return while_verified(command.use, [&] { return open_files(command, *parameters); });
  });
}

int translate(TranslateCommand& command, const config::Arguments& given, const TensorRoad& tensors) {
  read_before_model(command, given);
  if (asks_for_tensors(command, tensors)) return tensors.translate(command, given);
  const OpenedModel opened = open_model(command);
  if (!opened.model) return tensors.translate(command, given);
  read_with_model(command, opened.options.search, given);
  translation::Translator translator(opened.model, opened.tokenizers, command.search.search, command.search.translator,
                                     kept_for(command, opened.options.arch));
  api::constrain(translator, command.constraints, command.search.search, opened.tokenizers);
  api::set_splitting(translator, command.split, command.use.model);
  translate_lines(translator, command, opened.tokenizers);
  return 0;
}

}  // namespace

std::optional<std::string> no_engine(const TranslateCommand& command, const models::ArchitectureOptions& arch) {
  if (!command.ensemble.empty()) return "does not go with `--ensemble`";
  if (!command.language_model.empty()) return "does not go with `--language-model`";
  if (const auto part = engine::Engine::refuses(arch)) return "does not work with " + *part;
  return std::nullopt;
}

api::EngineUse engine_use(const TranslateCommand& command) {
  return {.precision = command.precision, .threads = command.use.threads, .short_list = command.short_list};
}

std::shared_ptr<const translation::TranslationModel> on_engine(const TranslateCommand& command,
                                                               const config::ModelOptions& options,
                                                               const text::Tokenizers& tokenizers,
                                                               const std::string& parameters) {
  return api::on_engine(engine_use(command), command.use.model, options, tokenizers, parameters);
}

config::Command translate_command(TensorRoad tensors) {
  return with_options<TranslateCommand>(
      {.name = "translate",
       .help = kTranslateHelp,
       .needs = {{"language-model-weight", "language-model"},
                 {"dictionary", "replace-unknown"},
                 {"terminology-fold-case", "terminology"},
                 {"terminology-strict", "terminology"}},
       .applies_settings = true},
      [tensors = std::move(tensors)](TranslateCommand& command, const config::Arguments& given) {
        return translate(command, given, tensors);
      });
}

}  // namespace heed::apps
