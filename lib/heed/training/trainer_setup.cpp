#include "heed/training/trainer_setup.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/training/update/part_loss.h"
#include "heed/translation/scorer.h"

namespace heed::training {
namespace {

/// Throws ConfigError where several ranks cannot share the work.
void validate_ranks(const TrainerSetup& setup) {
  if (setup.ranks->alone()) return;
  if (text_of(setup)) {
    throw ConfigError("data.context", "must be sentence where several ranks train: a continuous text is read by one");
  }
  const int64_t parts = stream_of(setup).parts;
  if (parts >= setup.ranks->size()) return;
  throw ConfigError("data.parts-in-all",
                    fmt::format("must be at least {}, the number of ranks, but is {}", setup.ranks->size(), parts));
}

}  // namespace

int64_t replica_count(const TrainOptions& options, c10::Device device, int64_t threads) {
  if (!device.is_cpu() && options.replicas.value_or(1) > 1) {
    throw ConfigError("train.replicas",
                      fmt::format("must be 1 on {}: several share the threads of a CPU", device.str()));
  }
  return device.is_cpu() ? options.replicas.value_or(std::max<int64_t>(1, threads)) : 1;
}

void validate(const TrainerSetup& setup) {
  validate(setup.train, setup.valid, setup.log, setup.validation.has_value());
  static_cast<void>(replica_count(setup.train, setup.device, setup.threads));  // throws where there can be none
  if (text_of(setup)) translation::require_reading_on(*setup.model, "data.context");
  validate_ranks(setup);
  validate_readings(setup.train, setup.model->options(), text_of(setup) != nullptr);
}

const data::TextContext* text_of(const TrainerSetup& setup) {
  return std::get_if<data::TextContext>(&setup.stream.context);
}

data::StreamOptions stream_of(const TrainerSetup& setup) {
  data::StreamOptions options = setup.stream;
  options.parts *= replica_count(setup.train, setup.device, setup.threads) * setup.ranks->size();
  if (options.parts_in_all) options.parts = *options.parts_in_all;
  return options;
}

data::PartShare part_share_of(const TrainerSetup& setup) {
  return {.index = setup.ranks->rank(), .of = setup.ranks->size()};
}

UpdateComputer make_computer(const TrainerSetup& setup, CarriedStates& carried) {
  setup.model->train();
  std::vector<Tensor> parameters;
  for (const auto& [name, parameter] : trainable_parameters(*setup.model)) parameters.push_back(parameter);
  const int64_t replicas = replica_count(setup.train, setup.device, setup.threads);
  return UpdateComputer(parameters,
                        make_replicas(setup.model, replicas, setup.device,
                                      {.label_smoothing = setup.train.label_smoothing,
                                       .r_drop = setup.train.r_drop,
                                       .own_word = setup.train.sampling.word()},
                                      &carried),
                        {.seed = setup.seed,
                         .device = setup.device,
                         .precision = setup.train.precision,
                         .clip_norm = setup.train.clip_norm,
                         .threads = setup.threads,
                         .gradients = setup.gradients},
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
