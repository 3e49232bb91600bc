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
#include "heed_torch/config/model_directory.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/config/setup/embedding_vectors.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/training/trainer.h"

namespace heed::config {

/// What a start of a training writes into its model directory: config.toml and the manifest's checksums of the text.
struct RunDescription {
  RunOptions options;                               ///< streams are replaced by the files of their copies
  std::map<std::string, std::string> text;          ///< checksums by name
  std::optional<int64_t> usual_source_length = {};  ///< see data::usual_source_length; absent: sources are not only
                                                    ///< text, or the text is a stream
};

/// Everything that a training needs before the first step.
struct PreparedRun {
  std::shared_ptr<distributed::RankGroup> ranks;
  std::unique_ptr<checkpoint::RunDirectory> directory;  ///< null on all ranks except rank 0
  text::Tokenizers tokenizers;                          ///< sampling as the options say
  std::shared_ptr<const data::EncodedCorpus> corpus;    ///< null if the text is a stream
  std::shared_ptr<const data::TrainingText> text;
  std::optional<training::ValidationSet> validation;  ///< absent without validation text
  SidesVectors vectors;                               ///< initial values of the embeddings
  std::optional<OpenedModel> base;                    ///< initial values of all weights; absent with checkpoints
  c10::Device device{c10::kCPU};
  int64_t threads = 1;  ///< LibTorch's threads, and those that read text
  RunDescription description;
  training::StateConditions conditions, conditions_before;  ///< of this start and the previous one
  std::vector<training::OptionChange> changes;              ///< between the two; empty if no training has begun
};

/// Opens or makes the model directory, and in it the configuration, the tokenizers and the encoded text. Reuses what an
/// earlier start of the same run made. Sets the process's threads.
///
/// Throws ConfigError if the training in the directory began with other options that must not change (resume_rules.h).
/// Throws Error if it began with other training text. The directory is unchanged then. Throws what reading text and
/// learning tokenizers throw. If no pair of the text is left, removes a directory that it made.
///
/// On several ranks, rank 0 does this and the others open what it made: all must see the same directory. Throws Error
/// if they do not, or if they were started differently (join_ranks.h).
PreparedRun prepare_run(const RunOptions& options,
                        std::shared_ptr<distributed::RankGroup> ranks = distributed::one_rank());

/// Trains from the beginning or from the newest checkpoint, until a limit, early stopping or `stop`. Reports to
/// `observers`, and to metrics.jsonl and report.html in the model directory. Writes the options of a resumed training
/// to config.toml as soon as everything that they need exists and metrics.jsonl has their changes: if a start ends
/// earlier, the next one reports the changes.
training::TrainingOutcome run_training(PreparedRun& run, const RunOptions& options,
                                       std::vector<training::Observer*> observers, const training::StopRequest& stop);

/// On all ranks except rank 0, while it prepares the training: helps it to encode the text, if it has to be encoded.
void help_rank_0(PreparedRun& run, const RunOptions& options);
/// Afterwards, on these ranks: opens what rank 0 has prepared. Throws Error if this rank does not see it.
void follow_rank_0(PreparedRun& run, const RunOptions& options);

}  // namespace heed::config
