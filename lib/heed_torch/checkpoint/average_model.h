// Averages chosen checkpoints into a model directory of its own (`heed average`); a training averages at its end by
// itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/core/options.h"

namespace heed::checkpoint {

/// Which checkpoints of a model directory are averaged, and where to; one of the three choices.
struct AverageOptions {
  std::string model;
  std::vector<std::string> checkpoints;  ///< by their updates
  std::optional<int64_t> best, last;     ///< how many of the best, or of the newest
  std::string output;                    ///< a directory that is new or empty
};
void describe(AverageOptions& o, AnyOptionVisitor auto& visit) {
  visit("model", o.model, "`DIR` that `heed train` made, whose checkpoints are averaged");
  visit("checkpoints", o.checkpoints, "`UPDATE...`: the checkpoints of these updates");
  visit("best", o.best, "this many of the best checkpoints, by valid.metric", at_least(2));
  visit("last", o.last, "this many of the newest checkpoints", at_least(2));
  visit("output", o.output, "`DIR` for the averaged model: a new directory, or an empty one");
}
/// Throws ConfigError where one of the directories is missing, or not exactly one choice is made.
void validate(const AverageOptions& options);

/// Writes a model directory with the mean of the checkpoints' parameters, that `heed translate` and the others open:
/// configuration and tokenizers are the training's. Gives the updates averaged, oldest first. Throws as validate;
/// ConfigError where the output holds something or there are not as many checkpoints; CheckpointError where one that
/// was chosen is missing or damaged; FileError. The output appears whole or not at all (NewDirectory).
std::vector<int64_t> average_model(const AverageOptions& options);

}  // namespace heed::checkpoint
