#include <fmt/format.h>

#include "commands.h"
#include "heed/core/log.h"
#include "heed/interchange/interchange.h"

namespace heed::apps {
namespace {

const config::CommandHelp kExportHelp{
    .usage = "heed export --to huggingface --model DIR --output DIR",
    .summary =
        R"(Writes a model as another toolkit has it. A model with anything that the other cannot hold is refused in one
line that names it.

  huggingface  MarianMT models of transformers: Transformers with sinusoidal positions, post-norm and
               SentencePiece tokenizers)",
    .examples = R"(  heed export --to huggingface --model models/en-de --output en-de-transformers)",
    .closing = "More: docs/guide/interchange.md",
};

int export_with(const interchange::ExportOptions& options, const config::Arguments&) {
  for (const std::string& sentence : interchange::export_model(options)) log_info(sentence);
  log_info(fmt::format("the model of {} is in {}", options.model, options.output));
  return 0;
}

}  // namespace

config::Command export_command() {
  return with_options<interchange::ExportOptions>({.name = "export", .help = kExportHelp}, export_with);
}

}  // namespace heed::apps
