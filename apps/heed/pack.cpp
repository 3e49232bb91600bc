// `heed pack`: a model in one file.
#include <string>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed/core/text/shell_word.h"
#include "heed/model_directory/pack_model.h"

namespace heed::apps {
namespace {

struct PackCommand {
  std::string model;
  std::string output;
};
void describe(PackCommand& o, OptionVisitor& visit) {
  visit("model", o.model, "model directory that `heed train`, `heed average` or `heed import` made");
  visit("output", o.output, "`FILE` for the model, such as en-de.heed");
}

const config::CommandHelp kPackHelp{
    .usage = "heed pack --model DIR --output FILE",
    .summary =
        R"(Writes what translation needs of a model into one file. All commands that read a model take the file
as `--model FILE`, and `heed train --from FILE` begins with it. They map the file and unpack nothing.
Checkpoints and the text of the training are left out, so a training cannot be resumed from it.)",
    .examples = R"(  heed pack --model models/en-de --output en-de.heed
  heed translate --model en-de.heed < test.en
  unzip -d models/en-de en-de.heed            # a directory again)",
};

int pack(const PackCommand& command, const config::Arguments&) {
  require_option(!command.model.empty(), "model", "name the directory that `heed train` made");
  require_option(!command.output.empty(), "output", "name the file for the model");
  if (command.output == "-") throw ConfigError("--output", "must be a file, not standard output");
  AtomicFile output(command.output);
  const checkpoint::PackedModel packed = checkpoint::pack_model(command.model, output);
  output.commit();
  log_info(fmt::format("{} files, {:.1f} MB; `heed translate --model {}` uses them", packed.files,
                       1e-6 * static_cast<double>(packed.bytes), shell_path(command.output)));
  return 0;
}

}  // namespace

config::Command pack_command() { return with_options<PackCommand>({.name = "pack", .help = kPackHelp}, pack); }

}  // namespace heed::apps
