#include "translate/translate.h"

#include "commands.h"
#include "heed/core/error.h"
#include "heed_torch/api/torch_model.h"
#include "heed_torch/api/use_torch.h"
#include "item_maps.h"
#include "source_input.h"
#include "translate/translate_lines.h"

namespace heed::apps {
namespace {

/// Translates the sources of a model that reads vectors.
void translate_items(const translation::Translator& translator, const TranslateCommand& command,
                     const config::Arguments& given, api::TrainedModel& model) {
  const OpenedTorchModel& used = dynamic_cast<api::LoadedTorchModel&>(model.torch("vectors")).loaded();
  if (command.split == translation::SplitRule::Sentences) {
    throw ConfigError("--split", "sentences: needs sources that are only text");
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
                           if (!line.source.has_item_alone()) parse_line(format, invalid, line, input->place());
                           return true;
                         },
                     .on_wait = [input](const auto& tell) { input->on_wait(tell); },
                     .size = size},
                    [&](const translation::Translation& translation, text::Alignment words) {
                      return maps.of(translation.item.get(), std::move(words),
                                     tokens ? translation.item_attention : word_item_attention(translation));
                    });
}

}  // namespace

config::Command translate_command() {
  use_torch();
  return translate_command(translate_items);
}

}  // namespace heed::apps
