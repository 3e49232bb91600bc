// A training from its options to the finished model directory: text, tokenizers, corpus, model, trainer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <c10/core/Device.h>

#include "heed/data/encoded/encoded_corpus.h"
#include "heed/data/training_text.h"
#include "heed/report/observer.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/config/setup/base_model.h"
#include "heed_torch/config/setup/embedding_vectors.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/training/trainer.h"

namespace heed::config {

/// What a start of a training keeps in its model directory: config.toml and the manifest's checksums of the text.
struct RunDescription {
  RunOptions options;                               ///< text that came in a stream is found in its copy
  std::map<std::string, std::string> text;          ///< checksums by name
  std::optional<int64_t> usual_source_length = {};  ///< see data::usual_source_length; none: sources are
                                                    ///< not text alone, or the text is a stream
};

/// The parts of a training that stand before the first update.
struct PreparedRun {
  std::shared_ptr<distributed::RankGroup> ranks;
  std::unique_ptr<checkpoint::RunDirectory> directory;  ///< null on all ranks but the first
  text::Tokenizers tokenizers;                          ///< sampling as the options say
  std::shared_ptr<const data::EncodedCorpus> corpus;    ///< null where the text is a stream
  std::shared_ptr<const data::TrainingText> text;
  std::optional<training::ValidationSet> validation;  ///< absent without validation text
  SidesVectors vectors;                               ///< that the embeddings begin with
  std::optional<OpenedModel> base;                    ///< that all weights begin with; none once there are checkpoints
  c10::Device device{c10::kCPU};
  int64_t threads = 1;  ///< torch's and those that read text
  RunDescription description;
  training::StateTerms terms, terms_before;     ///< of this start and the one before
  std::vector<training::OptionChange> changes;  ///< between the two; none where no training has begun
};

/// Opens (or makes) the model directory, and in it the configuration, the tokenizers and the encoded text. What an
/// earlier start of the same run made is used again. Throws ConfigError when the training there began with options that
/// must not change (run_changes.h) and are others now, Error when with other text to train on, and the directory is as
/// it was then; and what reading text and learning tokenizers throw. Text of which no pair is left leaves no directory
/// that was not there. Sets the process's threads.
/// On several ranks the first does this, and the others open what it made: all must see the same directory. Throws
/// Error where they do not, or were started otherwise (rank_start.h).
PreparedRun prepare_run(const RunOptions& options,
                        std::shared_ptr<distributed::RankGroup> ranks = distributed::one_rank());

/// Trains from the beginning, or from the newest checkpoint, until a limit, early stopping or `stop`. Reports to
/// `observers`, and as JSON lines to metrics.jsonl in the model directory. The options with which a training goes on
/// are written to config.toml once all that they ask for is there.
training::TrainingOutcome run_training(PreparedRun& run, const RunOptions& options,
                                       std::vector<training::Observer*> observers, const training::StopRequest& stop);

}  // namespace heed::config
