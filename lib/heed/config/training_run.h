// A training from its options to the finished model directory: text, tokenizers, corpus, model, trainer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <c10/core/Device.h>

#include "heed/checkpoint/run_directory.h"
#include "heed/config/run_options.h"
#include "heed/data/corpus/encoded_corpus.h"
#include "heed/text/tokenizer.h"
#include "heed/training/observer.h"
#include "heed/training/trainer.h"

namespace heed::config {

/// The parts of a training that stand before the first update.
struct PreparedRun {
  std::unique_ptr<checkpoint::RunDirectory> directory;
  text::Tokenizers tokenizers;  ///< sampling as the options say
  std::shared_ptr<const data::EncodedCorpus> corpus;
  std::optional<training::DevSet> dev;  ///< absent without validation text
  SidesVectors vectors;                 ///< that the embeddings begin with
  c10::Device device{c10::kCPU};
  int64_t threads = 1;  ///< torch's and those that read text
};

/// Opens (or makes) the model directory, and in it the configuration, the tokenizers and the encoded text. What an
/// earlier start of the same run made is used again. Throws ConfigError when the training there began with other
/// options, Error when with other text, and the directory is as it was then; and what reading text and learning
/// tokenizers throw. Sets the process's threads.
PreparedRun prepare_run(const RunOptions& options);

/// Trains from the beginning, or from the newest checkpoint, until a limit, early stopping or `stop`. Reports to
/// `observers`, and as JSON lines to metrics.jsonl in the model directory.
training::TrainingOutcome run_training(PreparedRun& run, const RunOptions& options,
                                       std::vector<training::Observer*> observers, const training::StopRequest& stop);

}  // namespace heed::config
