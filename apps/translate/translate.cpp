#include "translate/translate.h"

#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "heed/checkpoint/manifest.h"
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

/// Whether something is asked for that only tensors do, whatever the model is.
bool asks_for_tensors(const TranslateCommand& command, const TensorRoad& tensors) {
  return !tensors.is_cpu(command.use.device) || !command.use.checkpoint.empty() || command.chooses_attention() ||
         !command.ensemble.empty() || !command.language_model.empty();
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

int translate(TranslateCommand& command, const config::Arguments& given, const TensorRoad& tensors) {
  read_before_model(command, given);
  if (asks_for_tensors(command, tensors)) return tensors.translate(command, given);
  const auto parameters = checkpoint::finished_model(command.use.model);
  if (!parameters) return tensors.translate(command, given);
  const config::ModelOptions options = config::read_model_options(command.use.model + "/config.toml");
  if (!translates(options.arch) || no_engine(command, options.arch)) return tensors.translate(command, given);
  read_with_model(command, options.search, given);
  const text::Tokenizers tokenizers = text::load_tokenizers(command.use.model);
  const translation::Translator translator(on_engine(command, options, tokenizers, *parameters), tokenizers,
                                           command.search.search, command.search.translator, kept_for(command));
  translate_lines(translator, command, tokenizers);
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
  const auto engine = std::make_shared<const engine::Engine>(options.arch, config::vocabulary_sizes(tokenizers),
                                                             parameters, engine::precision_of(command.precision));
  std::shared_ptr<const text::ShortList> short_list;
  if (command.short_list) short_list = open_short_list(command.use.model, config::vocabulary_sizes(tokenizers));
  const int64_t threads = command.use.threads > 0 ? command.use.threads : available_cores();
  return std::make_shared<translation::EngineModel>(engine, threads, short_list);
}

config::Command translate_command(TensorRoad tensors) {
  return with_options<TranslateCommand>(
      {.name = "translate",
       .help = kTranslateHelp,
       .needs = {{"language-model-weight", "language-model"}},
       .applies_settings = true},
      [tensors = std::move(tensors)](TranslateCommand& command, const config::Arguments& given) {
        return translate(command, given, tensors);
      });
}

}  // namespace heed::apps
