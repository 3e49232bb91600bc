#include <fmt/format.h>

#include "commands.h"
#include "heed/core/log.h"
#include "heed_torch/config/device.h"
#include "heed_torch/interchange/interchange.h"

namespace heed::apps {
namespace {

const config::CommandHelp kImportHelp{
    .usage = "heed import --from huggingface|ctranslate2 --input DIR --model DIR",
    .summary =
        R"(Makes a model directory from a model that another toolkit trained. All commands can use it: translate, score,
align, in ensembles, or fine-tune it (`heed train --from`).

  huggingface  MarianMT models, such as the OPUS-MT ones, as transformers saves them: config.json,
               model.safetensors, vocab.json, source.spm, target.spm, and generation_config.json if there is one
  ctranslate2  Transformers that CTranslate2's converters made, quantized ones too: model.bin, config.json,
               the vocabularies, and source.spm and target.spm, which CTranslate2 itself does not need

heed executes nothing in the files. If a file is damaged or is no such model, heed writes nothing.)",
    .examples = R"(  heed import --from huggingface --input opus-mt-en-de --model models/opus-en-de
  heed import --from ctranslate2 --input en-de-ctranslate2 --model models/en-de)",
    .closing = "More: docs/guide/interchange.md",
};

int import_with(const interchange::ImportOptions& options, const config::Arguments&) {
  config::use_threads(0);
  for (const std::string& sentence : interchange::import_model(options)) log_info(sentence);
  log_info(fmt::format("the model of {} is in {}", options.input, options.model));
  return 0;
}

}  // namespace

config::Command import_command() {
  return with_options<interchange::ImportOptions>({.name = "import", .help = kImportHelp}, import_with);
}

}  // namespace heed::apps
