// The messages of `heed train` on how to use its model, before and after the training.
#pragma once

#include <string>

#include "heed/text/tokenizer.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/training/trainer.h"

namespace heed::apps {

/// To which toolkits `heed export` can convert a translation model, and why not to the others: "to ctranslate2;
/// huggingface cannot hold ...". Empty for models that do not translate.
std::string possible_exports(const config::RunOptions& options, const text::Tokenizers& tokenizers);

/// Logs where a training was interrupted, how to resume it, and whether its model can be used.
void show_resumption(const config::RunOptions& options, const training::TrainingOutcome& outcome);

/// Logs commands that use the model of a finished training. If a limit ended the training while its scores were
/// improving or before it had learned much, also logs a command that resumes it.
void show_next_steps(const config::RunOptions& options, const training::TrainingOutcome& outcome);

}  // namespace heed::apps
