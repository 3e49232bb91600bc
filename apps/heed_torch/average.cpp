#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.h"
#include "heed/core/log.h"
#include "heed_torch/checkpoint/average_model.h"
#include "heed_torch/config/device.h"

namespace heed::apps {
namespace {

const config::CommandHelp kAverageHelp{
    .usage = "heed average --model DIR (--checkpoints STEP... | --best N | --last N) --output DIR",
    .summary =
        R"(Averages the parameters of a training's checkpoints and writes a new model directory, for `heed translate`
and all other commands. At its end `heed train` averages without being asked (train.average). Training keeps
train.keep-best and train.keep-last checkpoints.)",
    .examples = R"(  heed average --model models/en-de --last 4 --output models/en-de-average
  heed average --model models/en-de --checkpoints 4000 5000 6000 --output models/en-de-average)",
};

int average(const checkpoint::AverageOptions& options, const config::Arguments&) {
  config::use_threads(0);
  const std::vector<int64_t> steps = checkpoint::average_model(options);
  log_info(fmt::format("the mean of the checkpoints after steps {} is in {}", fmt::join(steps, ", "), options.output));
  return 0;
}

}  // namespace

config::Command average_command() {
  return with_options<checkpoint::AverageOptions>({.name = "average", .help = kAverageHelp}, average);
}

}  // namespace heed::apps
