#include "heed_torch/training/update/micro_batch_loss.h"

#include <ATen/ATen.h>

#include "heed/core/error.h"
#include "heed_torch/nn/lora.h"
#include "heed_torch/nn/transfer.h"
#include "heed_torch/training/update/head_loss.h"
#include "heed_torch/training/update/prediction_positions.h"
#include "heed_torch/training/update/scheduled_sampling.h"

namespace heed::training {

namespace {

/// What the model reads of a batch, on its device.
struct PartTensors {
  models::Source source;  // passes * S
  Tensor input;           // int64 [passes * S, T], what a decoder reads
  Tensor places;          // int64 [passes * N], where in the hidden states the predictions are
  Tensor targets;         // int64 [N], or float [S, numbers]
  Tensor weights;         // float [N], for numbers [S]; undefined: 1
};

std::vector<GridShape> repeated_shapes(const data::VectorBlock& vectors, int64_t passes) {
  std::vector<GridShape> shapes;
  for (int64_t pass = 0; pass < passes; ++pass) {
    shapes.insert(shapes.end(), vectors.shapes.begin(), vectors.shapes.end());
  }
  return shapes;
}

/// The weights of the losses. Numbers have one loss per sentence, and are not in `predicted`.
Tensor weights_of(const data::Batch& batch, const Predicted& predicted) {
  if (batch.weights.empty()) return {};
  return torch::tensor(batch.target_kind == text::TargetKind::Numbers ? batch.weights : predicted.weights, at::kFloat);
}

/// Copies all tensors to the device at once, before anything is computed. Later the device never waits for a copy.
PartTensors upload_part(const data::Batch& batch, c10::Device device, int64_t passes) {
  const Predicted predicted = predicted_places(batch, passes);
  const Tensor targets = batch.target_kind == text::TargetKind::Numbers ? to_tensor(batch.numbers)
                                                                        : torch::tensor(predicted.ids, at::kLong);
  const auto there = nn::upload(
      {batch.source.columns > 0 ? to_tensor(batch.source) : Tensor(), to_tensor(batch.target),
       torch::tensor(predicted.places, at::kLong), targets, to_tensor(batch.vectors), weights_of(batch, predicted)},
      device);
  const auto repeated = [&](const Tensor& rows) {
    return passes == 1 || !rows.defined() ? rows : at::cat(std::vector<Tensor>(static_cast<size_t>(passes), rows));
  };
  return {.source = {repeated(there[0]), {repeated(there[4]), repeated_shapes(batch.vectors, passes)}},
          .input = batch.target_kind == text::TargetKind::Text ? repeated(there[1]).slice(1, 0, -1) : Tensor(),
          .places = there[2],
          .targets = there[3],
          .weights = there[5]};
}

/// places: int64 [N], where the losses are in [S, T].
Tensor loss_of_choices(const nn::SampledChoices& choices, const Tensor& places, const Tensor& losses) {
  const auto shape = choices.log_probability.sizes();
  const auto placed = [&](const Tensor& values) {
    return at::zeros({choices.log_probability.numel()}, values.options()).index_copy(0, places, values).view(shape);
  };
  return nn::reinforce_loss(choices, placed(losses), placed(at::ones_like(losses, at::kBool)));
}

std::shared_ptr<models::Model> sharing_copy(const models::Model& model, c10::Device device) {
  auto copy = std::make_shared<models::Model>(model.options(), model.sizes());
  if (const auto lora = nn::lora_of(model)) nn::add_lora(*copy, *lora);
  copy->to(device);
  const at::NoGradGuard no_grad;
  auto originals = model.named_parameters();
  for (auto& item : copy->named_parameters()) {
    const Tensor& original = originals[item.key()];
    item.value().set_data(original.detach());
    item.value().set_requires_grad(original.requires_grad());
  }
  auto buffers = model.named_buffers();
  for (auto& item : copy->named_buffers()) item.value().set_data(buffers[item.key()]);
  copy->train(model.is_training());
  return copy;
}

/// The decoder's output for a window of continuous text: float [S, T, d].
Tensor read_on(models::Model& model, const data::Batch& batch, const Tensor& input, RecurrentStates* carried) {
  check(carried != nullptr && batch.source.columns == 0, "a continuous text needs carried states and a language model");
  std::vector<models::CellState> states = carried->before(batch);
  const Tensor hidden = model.decoder->read_on(input, states).hidden;
  carried->after(batch, states);
  return hidden;
}

models::Decoded read_target(models::Model& model, const Tensor& target, const models::Memory* memory,
                            const SampledReading& reading) {
  const bool forced = reading.teacher_forcing >= 1 || !model.is_training();
  return forced ? model.decoder->forward(target, memory) : read_sampling(model, target, memory, reading);
}

/// hidden: float [passes * S, T, d].
models::Decoded hidden_states(models::Model& model, const data::Batch& batch, const PartTensors& part,
                              RecurrentStates* carried, const SampledReading& reading) {
  check((model.head == nullptr) == (batch.target_kind == text::TargetKind::Text), "a decoder reads text, a head none");
  models::Decoded decoded;
  if (batch.text) {
    check(part.input.size(0) == batch.target.rows, "a continuous text is read once");
    decoded.hidden = read_on(model, batch, part.input, carried);
    return decoded;
  }
  if (!model.encoder) return read_target(model, part.input, nullptr, reading);
  const models::Memory memory = model.encode(part.source);
  if (!model.head) return read_target(model, part.input, &memory, reading);
  decoded.hidden = model.head->forward(memory).hidden;
  // Words have labels; the vectors that follow them have none.
  if (batch.target_kind == text::TargetKind::WordLabels)
    decoded.hidden = decoded.hidden.slice(1, 0, batch.source.columns);
  return decoded;
}

Replica replica_of(std::shared_ptr<models::Model> model, c10::Device device, const LossOptions& options,
                   RecurrentStates* carried) {
  std::vector<Tensor> parameters;
  for (const auto& [name, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
  return {
      .parameters = std::move(parameters),
      .loss = [model = std::move(model), device, options, carried](const data::Batch& batch, double teacher_forcing) {
        return part_loss(*model, batch, device, options, carried, teacher_forcing);
      }};
}

}  // namespace

nn::LossSum part_loss(models::Model& model, const data::Batch& batch, c10::Device device, const LossOptions& options,
                      RecurrentStates* carried, double teacher_forcing) {
  const int64_t passes = options.r_drop > 0 && model.is_training() ? 2 : 1;
  const PartTensors part = upload_part(batch, device, passes);
  const models::Decoded decoded =
      hidden_states(model, batch, part, carried, {.teacher_forcing = teacher_forcing, .word = options.own_word});
  if (auto* numbers = dynamic_cast<models::NumberHead*>(model.head.get())) {
    return number_loss(*numbers, model.output(decoded.hidden.squeeze(1)), part.targets, part.weights);
  }
  if (model.head && model.head->crf) return crf_loss(model, decoded.hidden, batch);
  const Tensor real = decoded.hidden.flatten(0, 1).index_select(0, part.places);  // [passes * N, d]
  const Tensor &matrix = model.output->matrix(), &bias = model.output->bias;
  nn::LossSum sum =
      passes == 1 ? nn::smoothed_cross_entropy(real, matrix, bias, part.targets, options.label_smoothing, part.weights)
                  : nn::r_drop_cross_entropy(real, matrix, bias, part.targets, options.label_smoothing, options.r_drop,
                                             part.weights);
  if (decoded.choices.any()) sum.loss = sum.loss + loss_of_choices(decoded.choices, part.places, sum.rows);
  return sum;
}

NamedParameters trainable_parameters(const torch::nn::Module& module) {
  NamedParameters parameters;
  for (const auto& item : module.named_parameters()) {
    if (item.value().requires_grad()) parameters.emplace_back(item.key(), item.value());
  }
  return parameters;
}

std::vector<Replica> make_replicas(const std::shared_ptr<models::Model>& model, int64_t count, c10::Device device,
                                   const LossOptions& options, RecurrentStates* carried) {
  std::vector<Replica> replicas;
  if (count == 1) replicas.push_back(replica_of(model, device, options, carried));
  for (int64_t i = 0; count > 1 && i < count; ++i) {
    replicas.push_back(replica_of(sharing_copy(*model, device), device, options, carried));
  }
  return replicas;
}

}  // namespace heed::training
