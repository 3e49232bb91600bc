#include <fmt/format.h>

#include "commands.h"
#include "heed/core/log.h"
#include "heed_torch/config/device.h"
#include "heed_torch/interchange/interchange.h"

namespace heed::apps {
namespace {

const config::CommandHelp kExportHelp{
    .usage = "heed export --to huggingface|ctranslate2 --model DIR --output DIR",
    .summary =
        R"(Writes a model in the format of another toolkit. If the other toolkit cannot represent some part of the model,
heed refuses the export with one line that names the part. `heed train` says before training to which toolkits
its model can be exported.

  huggingface  MarianMT models of transformers: Transformers with sinusoidal positions, post-norm and
               SentencePiece tokenizers
  ctranslate2  Transformers with any tokenizers: model.bin in float32, config.json, the vocabularies, and
               source.spm and target.spm, which split text into the tokens of ctranslate2.Translator)",
    .examples = R"(  heed export --to huggingface --model models/en-de --output en-de-transformers
  heed export --to ctranslate2 --model models/en-de --output en-de-ctranslate2)",
    .closing = "More: docs/guide/interchange.md",
};

int export_with(const interchange::ExportOptions& options, const config::Arguments&) {
  config::use_threads(0);
  for (const std::string& sentence : interchange::export_model(options)) log_info(sentence);
  log_info(fmt::format("the model of {} is in {}", options.model, options.output));
  return 0;
}

}  // namespace

config::Command export_command() {
  return with_options<interchange::ExportOptions>({.name = "export", .help = kExportHelp}, export_with);
}

}  // namespace heed::apps
