// Averages chosen checkpoints into a new model directory (`heed average`). A training does this itself at its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/core/options.h"

namespace heed::checkpoint {

/// Which checkpoints of a model directory are averaged, and where the result goes. Exactly one choice must be set.
struct AverageOptions {
  std::string model;
  std::vector<std::string> checkpoints;  ///< numbers of their steps
  std::optional<int64_t> best, last;     ///< how many of the best, or of the newest
  std::string output;                    ///< a directory that is new or empty
};
void describe(AverageOptions& o, AnyOptionVisitor auto& visit) {
  visit("model", o.model, "`DIR` that `heed train` made, whose checkpoints are averaged");
  visit("checkpoints", o.checkpoints, "`STEP...`: the checkpoints of these steps");
  visit("best", o.best, "this many of the best checkpoints, by valid.metric", at_least(2));
  visit("last", o.last, "this many of the newest checkpoints", at_least(2));
  visit("output", o.output, "`DIR` for the averaged model: a new directory, or an empty one");
}
/// Throws ConfigError if one of the directories is missing, or if not exactly one choice is set.
void validate(const AverageOptions& options);

/// Writes a model directory with the mean of the checkpoints' parameters, for `heed translate` and other commands.
/// Configuration and tokenizers are the training's. Returns the steps that were averaged, oldest first. The output
/// appears whole or not at all (NewDirectory).
///
/// Throws as validate. Throws ConfigError if the output is not empty or there are too few checkpoints, CheckpointError
/// if a chosen one is missing or damaged, and FileError.
std::vector<int64_t> average_model(const AverageOptions& options);

}  // namespace heed::checkpoint
