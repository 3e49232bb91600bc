#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.h"
#include "heed/checkpoint/average_model.h"
#include "heed/core/log.h"

namespace heed::apps {
namespace {

const config::CommandHelp kAverageHelp{
    .usage = "heed average --model DIR (--checkpoints UPDATE... | --best N | --last N) --output DIR",
    .summary =
        R"(Averages the parameters of checkpoints of a training into a model of its own, which translates, scores and
aligns as the training's does. `heed train` averages the best or the last at its end by itself
(train.average); it keeps as many checkpoints as train.keep-best and train.keep-last say.)",
    .examples = R"(  heed average --model models/en-de --last 4 --output models/en-de-average
  heed average --model models/en-de --checkpoints 4000 5000 6000 --output models/en-de-average)",
};

int average(const checkpoint::AverageOptions& options, const config::Arguments&) {
  const std::vector<int64_t> updates = checkpoint::average_model(options);
  log_info(fmt::format("the mean of updates {} is in {}", fmt::join(updates, ", "), options.output));
  return 0;
}

}  // namespace

config::Command average_command() {
  return with_options<checkpoint::AverageOptions>({.name = "average", .help = kAverageHelp}, average);
}

}  // namespace heed::apps
