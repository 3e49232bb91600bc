// What `heed train` says before and after a training of what can be done with its model.
#pragma once

#include "heed/text/tokenizer.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/training/trainer.h"

namespace heed::apps {

/// Logs to which toolkits `heed export` can write a model that translates, and what keeps it from the others.
void show_exports(const config::RunOptions& options, const text::Tokenizers& tokenizers);

/// Logs commands that use the model of a finished training. If a limit ended it while its scores were improving, or
/// before it had learned much, also one that continues it.
void show_next_steps(const config::RunOptions& options, const training::TrainingOutcome& outcome);

}  // namespace heed::apps
