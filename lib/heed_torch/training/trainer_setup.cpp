#include "heed_torch/training/trainer_setup.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed_torch/training/optimization/sharded_optimizer.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "heed_torch/translation/scorer.h"

namespace heed::training {

int64_t replica_count(const TrainOptions& options, c10::Device device, int64_t threads) {
  if (!device.is_cpu() && options.replicas.value_or(1) > 1) {
    throw ConfigError("train.replicas",
                      fmt::format("must be 1 on {}: several share the threads of a CPU", device.str()));
  }
  return device.is_cpu() ? options.replicas.value_or(std::max<int64_t>(1, threads)) : 1;
}

int64_t micro_batches_of(const data::StreamOptions& stream, int64_t replicas, int64_t ranks) {
  return stream.total_micro_batches.value_or(stream.micro_batches * replicas * ranks);
}

void validate_ranks(const data::StreamOptions& stream, int64_t ranks) {
  if (ranks == 1) return;
  if (std::holds_alternative<data::TextContext>(stream.context)) {
    throw ConfigError("data.context", "must be sentence if several ranks train: a continuous text is read by one");
  }
  if (stream.total_micro_batches.value_or(ranks) < ranks) {
    throw ConfigError("data.total-micro-batches", fmt::format("must be at least {}, the number of ranks, but is {}",
                                                              ranks, *stream.total_micro_batches));
  }
}

void validate(const TrainerSetup& setup) {
  validate(setup.train, setup.valid, setup.log, setup.validation.has_value());
  static_cast<void>(replica_count(setup.train, setup.device, setup.threads));  // throws if the count is invalid
  if (text_of(setup)) translation::require_reading_on(*setup.model, "data.context");
  validate_ranks(setup.stream, setup.ranks->size());
  validate_readings(setup.train, setup.model->options(), text_of(setup) != nullptr);
}

const data::TextContext* text_of(const TrainerSetup& setup) {
  return std::get_if<data::TextContext>(&setup.stream.context);
}

data::StreamOptions stream_of(const TrainerSetup& setup) {
  data::StreamOptions options = setup.stream;
  options.micro_batches =
      micro_batches_of(options, replica_count(setup.train, setup.device, setup.threads), setup.ranks->size());
  return options;
}

data::MicroBatchShare micro_batch_share(const TrainerSetup& setup) {
  return {.index = setup.ranks->rank(), .of = setup.ranks->size()};
}

data::BatchStream make_stream(const TrainerSetup& setup) {
  const data::StreamOptions options = stream_of(setup);
  return {setup.text->batches(setup.tokenizers, options, micro_batch_share(setup), setup.seed), options};
}

namespace {

LossOptions loss_options(const TrainerSetup& setup) {
  LossOptions options{.label_smoothing = setup.train.label_smoothing,
                      .r_drop = setup.train.r_drop,
                      .cutoff = setup.train.r_drop_cutoff,
                      .own_word = setup.train.sampling.word()};
  options.teachers = Teachers{
      .models = setup.teachers, .weight = setup.train.teacher_weight, .temperature = setup.train.teacher_temperature};
  options.risk = make_minimum_risk(setup.train.minimum_risk, setup.tokenizers.target);
  options.guided_alignment = setup.train.guided_alignment_weight;
  return options;
}

bool shards_optimizer(const TrainerSetup& setup) { return setup.shard_optimizer && !setup.ranks->alone(); }

/// The gradients that this rank's optimizer needs.
GradientOf wanted_gradient(const TrainerSetup& setup) {
  return shards_optimizer(setup) && !needs_whole_parameters(setup.train.optimizer) ? GradientOf::Owned
                                                                                   : GradientOf::All;
}

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const TrainerSetup& setup) {
  NamedParameters parameters = trainable_parameters(*setup.model);
  const TrainOptions& train = setup.train;
  if (!shards_optimizer(setup)) return make_optimizer(train.optimizer, parameters, train.ema_decay);
  return std::make_unique<ShardedOptimizer>(train.optimizer, std::move(parameters), setup.ranks, train.ema_decay);
}

GradientComputer make_computer(const TrainerSetup& setup, RecurrentStates& carried) {
  setup.model->train();
  std::vector<Tensor> parameters;
  for (const auto& [name, parameter] : trainable_parameters(*setup.model)) parameters.push_back(parameter);
  const int64_t replicas = replica_count(setup.train, setup.device, setup.threads);
  return GradientComputer(parameters, make_replicas(setup.model, replicas, setup.device, loss_options(setup), &carried),
                          {.seed = setup.seed,
                           .device = setup.device,
                           .precision = setup.train.precision,
                           .clip_norm = setup.train.clip_norm,
                           .threads = setup.threads,
                           .gradients = setup.gradients,
                           .wanted = wanted_gradient(setup)},
                          setup.ranks);
}

std::unique_ptr<Validator> make_validator(const TrainerSetup& setup) {
  if (!setup.validation) return nullptr;
  ValidationSet validation = *setup.validation;
  validation.continuous = text_of(setup) != nullptr;
  return std::make_unique<Validator>(ValidatorSetup{.model = setup.model,
                                                    .tokenizers = setup.tokenizers,
                                                    .validation = std::move(validation),
                                                    .options = setup.valid,
                                                    .search = setup.search,
                                                    .translator = setup.translator,
                                                    .device = setup.device,
                                                    .ranks = setup.ranks});
}

}  // namespace heed::training
