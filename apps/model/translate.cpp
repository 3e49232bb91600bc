#include "translate/translate.h"

#include "commands.h"
#include "heed/api/engine_road.h"
#include "heed/config/device.h"
#include "heed/core/error.h"
#include "heed/translation/forced_attention.h"
#include "heed/translation/logits_model.h"
#include "heed/translation/translator.h"
#include "model/item_maps.h"
#include "model/source_input.h"
#include "translate/translate_lines.h"

namespace heed::apps {
namespace {

void add_ensemble(const TranslateCommand& command, translation::LogitsModel& model, const text::Tokenizers& ours) {
  for (const std::string& directory : command.ensemble) {
    const ModelUse use = beside(command.use, directory, "ensemble");
    const UsedModel used = open_model(use);
    require_translation_model(use, used, "ensemble");
    model.add_model(used.opened.model, used.opened.tokenizers, ours, "ensemble " + directory);
  }
  model.weigh(command.ensemble_weights);
}

translation::ShallowFusion open_fusion(const TranslateCommand& command) {
  const ModelUse use = beside(command.use, command.language_model, "language-model");
  const UsedModel used = open_model(use);
  require_language_model(use, used, "language-model");
  return {
      .model = used.opened.model, .tokenizer = used.opened.tokenizers.target, .weight = command.language_model_weight};
}

/// The model, an ensemble with it, or it with a language model.
std::shared_ptr<const translation::TranslationModel> with_tensors(const TranslateCommand& command,
                                                                  const UsedModel& used) {
  const text::Tokenizers& tokenizers = used.opened.tokenizers;
  const auto model = std::make_shared<translation::LogitsModel>(used.opened.model, used.device);
  add_ensemble(command, *model, tokenizers);
  if (!command.language_model.empty()) model->fuse(open_fusion(command), tokenizers);
  return model;
}

/// On a CPU what the engine takes computes there, where it is faster; all else does as it was trained.
std::shared_ptr<const translation::TranslationModel> choose_model(const TranslateCommand& command,
                                                                  const UsedModel& used) {
  config::OpenedModel opened = used.opened;
  const auto why = used.device.is_cpu() ? no_engine(command, opened.options.arch) : "works on a CPU only";
  if (!why) {
    return config::read_parameters(opened, [&](const std::string& parameters) {
      return on_engine(command, opened.options, opened.tokenizers, parameters);
    });
  }
  api::require_no_engine(engine_use(command), *why);
  return with_tensors(command, used);
}

/// Of a model that reads vectors.
void translate_items(const translation::Translator& translator, const TranslateCommand& command,
                     const config::Arguments& given, const UsedModel& used) {
  if (command.split == translation::SplitRule::Sentences) {
    throw ConfigError("--split", "sentences: goes with sources that are text alone");
  }
  SourceFiles files{.text = {}, .items = command.items};
  if (given.gives("input")) files.text = command.input;
  const auto input = std::make_shared<SourceInput>(open_sources(files, command.use, used));
  require_other_than_inputs("--output", command.output, input->files());
  const auto size = input->check(form_check(command.format, command.use.invalid_text));
  const ItemMaps maps(used);
  const bool tokens = command.alignment_options.aligner.subwords;
  translate_sources(translator, command, used.opened.tokenizers,
                    {.next =
                         [input, format = command.format, invalid = command.use.invalid_text](InputLine& line) {
                           if (!input->next(line.source)) return false;
                           if (!line.source.has_item_alone()) take_apart(format, invalid, line, input->place());
                           return true;
                         },
                     .on_wait = [input](const auto& tell) { input->on_wait(tell); },
                     .size = size},
                    [&](const translation::Translation& translation, text::Alignment words) {
                      return maps.of(translation.item.get(), std::move(words),
                                     tokens ? translation.item_attention : word_item_attention(translation));
                    });
}

int translate(TranslateCommand& command, const config::Arguments& given) {
  const UsedModel used = open_model(command.use);
  require_translation_model(command.use, used);
  read_with_model(command, used.opened.options.search, given);
  translation::Translator translator(choose_model(command, used), used.opened.tokenizers, command.search.search,
                                     command.search.translator, kept_for(command, used.opened.options.arch));
  api::constrain(translator, command.constraints, command.search.search, used.opened.tokenizers);
  api::set_splitting(translator, command.split, command.use.model);
  if (command.chooses_attention()) {
    translator.show(std::make_shared<translation::ForcedAttention>(
        used.opened.model, used.device, command.alignment_options.aligner.shown, kAlignmentPrefix));
  }
  if (used.opened.options.arch.vectors.any() || command.items.any()) {
    translate_items(translator, command, given, used);
  } else {
    translate_lines(translator, command, used.opened.tokenizers);
  }
  return 0;
}

}  // namespace

config::Command translate_command() {
  return translate_command({.is_cpu = [](const std::string& device) { return config::pick_device(device).is_cpu(); },
                            .translate = translate});
}

}  // namespace heed::apps
