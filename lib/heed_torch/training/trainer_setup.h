// Everything that a training needs, and the objects built from it before the first step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <c10/core/Device.h>

#include "heed/data/batches/batch_stream.h"
#include "heed/data/training_text.h"
#include "heed/report/observer.h"
#include "heed_torch/distributed/distributed_options.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/models/model.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/step/gradient_computer.h"
#include "heed_torch/training/step/recurrent_states.h"
#include "heed_torch/training/train_options.h"
#include "heed_torch/training/training_state.h"
#include "heed_torch/training/validator.h"

namespace heed::training {

/// Everything that a training needs.
struct TrainerSetup {
  std::shared_ptr<models::Model> model;  ///< with its initial values, on `device`
  text::Tokenizers tokenizers;
  std::shared_ptr<const data::TrainingText> text;
  std::optional<ValidationSet> validation = std::nullopt;  ///< absent: the last checkpoint is the final model
  data::StreamOptions stream = {};                         ///< see stream_of
  TrainOptions train = {};
  std::vector<std::shared_ptr<models::Model>> teachers = {};  ///< of train.teacher, on `device`, in evaluation mode
  ValidationOptions valid = {};
  LogOptions log = {};
  search::SearchOptions search = {};               ///< of the model's translations: see validation_search()
  translation::TranslatorOptions translator = {};  ///< for the translations in validation
  c10::Device device{c10::kCPU};
  int64_t threads = 1;  ///< shared among the replicas
  std::shared_ptr<distributed::RankGroup> ranks = distributed::one_rank();
  distributed::GradientFormat gradients = distributed::GradientFormat::Fp32;
  bool shard_optimizer = true;  ///< ZeRO stage 1; only if there are several ranks
  uint64_t seed = 1;
  StateConditions conditions = {};         ///< of this start
  StateConditions conditions_before = {};  ///< of config.toml: for what checkpoints do not save of theirs
  std::vector<OptionChange> changes = {};  ///< since the start before, for the observers
  std::function<void()> reported = [] {};  ///< called when the observers have the start and its changes, before the
                                           ///< first step
  double silence = 20;                     ///< seconds without a report after which there is one by the clock
};

/// The number of replicas, which compute micro-batches of a step at the same time: train.replicas, or one per thread on
/// the CPU. Throws ConfigError for several replicas on another device.
int64_t replica_count(const TrainOptions& options, c10::Device device, int64_t threads);

/// The number of micro-batches that a step is split into, for all replicas of all ranks.
int64_t micro_batches_of(const data::StreamOptions& stream, int64_t replicas, int64_t ranks);
/// Throws ConfigError if this number of ranks cannot share the work.
void validate_ranks(const data::StreamOptions& stream, int64_t ranks);

/// Throws ConfigError if the setup's options contradict each other, the model or the device. The functions below expect
/// a setup that has passed.
void validate(const TrainerSetup& setup);

/// The continuous text that the setup reads; null if it reads sentences.
const data::TextContext* text_of(const TrainerSetup& setup);

/// The options of the text stream, with steps split for the replicas of all ranks.
data::StreamOptions stream_of(const TrainerSetup& setup);
/// The micro-batches of a step that this rank computes.
data::MicroBatchShare micro_batch_share(const TrainerSetup& setup);
/// The steps that this rank computes, in order.
data::BatchStream make_stream(const TrainerSetup& setup);

/// The optimizer of the model's trainable parameters.
std::unique_ptr<Optimizer> make_optimizer(const TrainerSetup& setup);

/// Sets the model to training mode. `carried` must outlive the result.
GradientComputer make_computer(const TrainerSetup& setup, RecurrentStates& carried);

/// Null without a validation set.
std::unique_ptr<Validator> make_validator(const TrainerSetup& setup);

}  // namespace heed::training
