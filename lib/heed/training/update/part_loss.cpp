#include "heed/training/update/part_loss.h"

#include <ATen/ATen.h>

#include "heed/core/error.h"
#include "heed/nn/transfer.h"
#include "heed/text/tokenizer.h"

namespace heed::training {

namespace {

/// int64 [rows, columns] in the matrix's own memory.
Tensor to_tensor(const data::IdMatrix& matrix) {
  // from_blob wants a pointer to non-const; nothing writes through this tensor.
  auto* ids = const_cast<int64_t*>(matrix.ids.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return at::from_blob(ids, {matrix.rows, matrix.columns}, at::kLong);
}

/// The real positions of a target matrix.
struct Predicted {
  std::vector<int64_t> places;  // in the decoder's hidden states, row-major [passes, rows, columns - 1]
  std::vector<int64_t> ids;     // the token that follows each of the first pass
};

Predicted predicted_tokens(const data::IdMatrix& target, int64_t passes) {
  Predicted predicted;
  const int64_t positions = target.columns - 1;
  for (int64_t row = 0; row < target.rows; ++row) {
    for (int64_t position = 0; position < positions; ++position) {
      const int64_t id = target.ids[static_cast<size_t>(row * target.columns + position + 1)];
      if (id == text::kPad) break;
      if (id == text::kBos) continue;  // of the next line of a continuous text: nothing foretells it
      predicted.places.push_back(row * positions + position);
      predicted.ids.push_back(id);
    }
  }
  for (int64_t pass = 1; pass < passes; ++pass) {
    for (size_t i = 0; i < predicted.ids.size(); ++i) {
      predicted.places.push_back(predicted.places[i] + pass * target.rows * positions);
    }
  }
  return predicted;
}

/// What the model reads of a batch, on its device, int64.
struct PartTensors {
  Tensor source;   // [passes * S, source]
  Tensor input;    // [passes * S, T]
  Tensor places;   // [passes * N], of what is predicted in the decoder's hidden states
  Tensor targets;  // [N]
};

/// All of them in one copy, before anything is computed: a device that has work to do has it waiting for nothing.
PartTensors upload_part(const data::Batch& batch, c10::Device device, int64_t passes) {
  const Predicted predicted = predicted_tokens(batch.target, passes);
  const auto there = nn::upload({to_tensor(batch.source), to_tensor(batch.target),
                                 torch::tensor(predicted.places, at::kLong), torch::tensor(predicted.ids, at::kLong)},
                                device);
  const auto repeated = [&](const Tensor& ids) { return passes == 1 ? ids : ids.repeat({passes, 1}); };
  return {.source = repeated(there[0]),
          .input = repeated(there[1]).slice(1, 0, -1),
          .places = there[2],
          .targets = there[3]};
}

/// places: int64 [N], of the losses in [S, T].
Tensor loss_of_choices(const nn::SampledChoices& choices, const Tensor& places, const Tensor& losses) {
  const auto shape = choices.log_probability.sizes();
  const auto placed = [&](const Tensor& values) {
    return at::zeros({choices.log_probability.numel()}, values.options()).index_copy(0, places, values).view(shape);
  };
  return nn::reinforce_loss(choices, placed(losses), placed(at::ones_like(losses, at::kBool)));
}

std::shared_ptr<models::Model> sharing_copy(const models::Model& model, c10::Device device) {
  auto copy = std::make_shared<models::Model>(model.options(), model.sizes());
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

/// What the decoder makes of a window of continuous text: float [S, T, d].
Tensor read_on(models::Model& model, const data::Batch& batch, const Tensor& input, CarriedStates* carried) {
  check(carried != nullptr && batch.source.columns == 0, "a continuous text needs carried states and a language model");
  std::vector<models::CellState> states = carried->before(batch);
  const Tensor hidden = model.decoder->read_on(input, states).hidden;
  carried->after(batch, states);
  return hidden;
}

Replica replica_of(std::shared_ptr<models::Model> model, c10::Device device, const LossOptions& options,
                   CarriedStates* carried) {
  std::vector<Tensor> parameters;
  for (const auto& [name, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
  return {.parameters = std::move(parameters),
          .loss = [model = std::move(model), device, options, carried](const data::Batch& batch) {
            return part_loss(*model, batch, device, options, carried);
          }};
}

}  // namespace

nn::LossSum part_loss(models::Model& model, const data::Batch& batch, c10::Device device, const LossOptions& options,
                      CarriedStates* carried) {
  const int64_t passes = options.r_drop > 0 && model.is_training() ? 2 : 1;
  const PartTensors part = upload_part(batch, device, passes);
  models::Decoded decoded;  // hidden: [passes * S, T, d]
  if (batch.text) {
    check(passes == 1, "a continuous text is read once");
    decoded.hidden = read_on(model, batch, part.input, carried);
  } else if (batch.source.columns > 0) {
    const models::Memory memory = model.encode(part.source);
    decoded = model.decoder->forward(part.input, &memory);
  } else {
    decoded = model.decoder->forward(part.input, nullptr);
  }
  const Tensor real = decoded.hidden.flatten(0, 1).index_select(0, part.places);  // [passes * N, d]
  const Tensor &matrix = model.output->matrix(), &bias = model.output->bias;
  nn::LossSum sum =
      passes == 1 ? nn::smoothed_cross_entropy(real, matrix, bias, part.targets, options.label_smoothing)
                  : nn::r_drop_cross_entropy(real, matrix, bias, part.targets, options.label_smoothing, options.r_drop);
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
                                   const LossOptions& options, CarriedStates* carried) {
  std::vector<Replica> replicas;
  if (count == 1) replicas.push_back(replica_of(model, device, options, carried));
  for (int64_t i = 0; count > 1 && i < count; ++i) {
    replicas.push_back(replica_of(sharing_copy(*model, device), device, options, carried));
  }
  return replicas;
}

}  // namespace heed::training
