#include "translate/translate.h"

#include <filesystem>
#include <future>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "heed/checkpoint/manifest.h"
#include "heed/core/allocation.h"
#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/engine/engine.h"
#include "heed/text/short_list.h"
#include "heed/text/tokenizer_files.h"
#include "heed/translation/engine_model.h"
#include "program.h"
#include "translate/translate_lines.h"

namespace heed::apps {
namespace {

/// Whether something is asked for that only tensors do, whatever the model is; no_engine() knows the rest.
bool asks_for_tensors(const TranslateCommand& command, const TensorRoad& tensors) {
  return !tensors.is_cpu(command.use.device) || !command.use.checkpoint.empty() || command.chooses_attention() ||
         command.items.any();
}

int64_t threads_of(const ModelUse& use) { return use.threads > 0 ? use.threads : available_cores(); }

/// What `open` gives, while another thread compares the checksums of the model directory, if there may be another: they
/// take as long as packing the weights. Throws CheckpointError of the checksums before what `open` throws.
template <class Open>
auto while_verified(const ModelUse& use, const Open& open) {
  const auto policy = threads_of(use) > 1 ? std::launch::async : std::launch::deferred;
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

bool translates(const models::ArchitectureOptions& arch) {
  return !std::holds_alternative<models::NoEncoderOptions>(arch.encoder.type);
}

std::shared_ptr<const text::ShortList> open_short_list(const std::string& model, const models::VocabularySizes& sizes) {
  const std::string path = model + "/" + text::kShortListFile;
  if (!std::filesystem::exists(path)) {
    throw ConfigError("--short-list",
                      fmt::format("needs a short-list, which {0} does not have: `heed shortlist --model "
                                  "{0}` makes one",
                                  model));
  }
  return std::make_shared<const text::ShortList>(path, sizes.source, sizes.target);
}

/// A model directory, opened without tensors.
struct OpenedModel {
  config::ModelOptions options;
  text::Tokenizers tokenizers;
  std::shared_ptr<const translation::TranslationModel> model;  // null: the engine does not take it
};
OpenedModel open_model(const TranslateCommand& command, const std::string& parameters) {
  OpenedModel opened{.options = config::read_model_options(command.use.model + "/config.toml"),
                     .tokenizers = text::load_tokenizers(command.use.model),
                     .model = nullptr};
  if (!translates(opened.options.arch) || no_engine(command, opened.options.arch)) return opened;
  opened.model = on_engine(command, opened.options, opened.tokenizers, parameters);
  return opened;
}

int translate(TranslateCommand& command, const config::Arguments& given, const TensorRoad& tensors) {
  read_before_model(command, given);
  if (asks_for_tensors(command, tensors)) return tensors.translate(command, given);
  const auto parameters = checkpoint::finished_model(command.use.model, checkpoint::Verify::Sizes);
  if (!parameters) return tensors.translate(command, given);
  const OpenedModel opened = while_verified(command.use, [&] { return open_model(command, *parameters); });
  if (!opened.model) return tensors.translate(command, given);
  read_with_model(command, opened.options.search, given);
  translation::Translator translator(opened.model, opened.tokenizers, command.search.search, command.search.translator,
                                     kept_for(command));
  translator.demand(wording_of(command, opened.tokenizers));
  set_splitting(translator, command);
  translator.replace_unknown(unknown_words_of(command, opened.tokenizers));
  translator.rank_with(rank_by_risk(command.risk, command.search.search));
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

std::shared_ptr<const translation::TranslationModel> on_engine(const TranslateCommand& command,
                                                               const config::ModelOptions& options,
                                                               const text::Tokenizers& tokenizers,
                                                               const std::string& parameters) {
  reuse_large_allocations();
  prefer_large_pages(std::filesystem::file_size(parameters));  // packed weights are read through at every step
  const auto engine =
      std::make_shared<const engine::Engine>(options.arch, config::vocabulary_sizes(tokenizers), parameters,
                                             engine::precision_of(command.precision), threads_of(command.use));
  std::shared_ptr<const text::ShortList> short_list;
  if (command.short_list) short_list = open_short_list(command.use.model, config::vocabulary_sizes(tokenizers));
  return std::make_shared<translation::EngineModel>(engine, threads_of(command.use), short_list);
}

config::Command translate_command(TensorRoad tensors) {
  return with_options<TranslateCommand>(
      {.name = "translate",
       .help = kTranslateHelp,
       .needs = {{"language-model-weight", "language-model"}, {"dictionary", "replace-unknown"}},
       .applies_settings = true},
      [tensors = std::move(tensors)](TranslateCommand& command, const config::Arguments& given) {
        return translate(command, given, tensors);
      });
}

}  // namespace heed::apps
