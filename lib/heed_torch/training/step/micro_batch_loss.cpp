#include "heed_torch/training/step/micro_batch_loss.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include <ATen/ATen.h>

#include "heed/core/error.h"
#include "heed_torch/nn/lora.h"
#include "heed_torch/nn/losses/guided_alignment.h"
#include "heed_torch/nn/transfer.h"
#include "heed_torch/training/step/head_loss.h"
#include "heed_torch/training/step/prediction_positions.h"
#include "heed_torch/training/step/scheduled_sampling.h"

namespace heed::training {

namespace {

std::vector<GridShape> repeated_shapes(const data::VectorBlock& vectors, int64_t passes) {
  std::vector<GridShape> shapes;
  for (int64_t pass = 0; pass < passes; ++pass) {
    shapes.insert(shapes.end(), vectors.shapes.begin(), vectors.shapes.end());
  }
  return shapes;
}

/// weights: of losses; none: 1.
Tensor tensor_of(const std::vector<float>& weights) {
  return weights.empty() ? Tensor() : torch::tensor(weights, at::kFloat);
}

Tensor repeated(const Tensor& rows, int64_t passes) {
  return passes == 1 || !rows.defined() ? rows : at::cat(std::vector<Tensor>(static_cast<size_t>(passes), rows));
}

models::Source repeated(const models::Source& source, const data::VectorBlock& vectors, int64_t passes) {
  if (passes == 1) return source;
  return {repeated(source.tokens, passes), {repeated(source.vectors.values, passes), repeated_shapes(vectors, passes)}};
}

/// The source of a micro-batch and tensors of its targets, on the model's device.
template <size_t N>
struct UploadedBatch {
  models::Source source;
  std::array<Tensor, N> of_targets;
};

/// Copies all tensors to the device at once, before anything is computed. Later the device never waits for a copy.
template <size_t N>
UploadedBatch<N> upload(const data::MicroBatch& batch, const std::array<Tensor, N>& of_targets, c10::Device device) {
  std::vector<Tensor> here(of_targets.begin(), of_targets.end());
  here.push_back(batch.source.columns > 0 ? to_tensor(batch.source) : Tensor());
  here.push_back(to_tensor(batch.vectors));
  const std::vector<Tensor> there = nn::upload(here, device);
  UploadedBatch<N> uploaded{.source = {there[N], {there[N + 1], batch.vectors.shapes}}, .of_targets = {}};
  std::copy_n(there.begin(), N, uploaded.of_targets.begin());
  return uploaded;
}

/// places: int64 [N], where the losses are in [S, T].
Tensor loss_of_samples(const nn::SampledPositions& samples, const Tensor& places, const Tensor& losses) {
  const auto shape = samples.log_probability.sizes();
  const auto placed = [&](const Tensor& values) {
    return at::zeros({samples.log_probability.numel()}, values.options()).index_copy(0, places, values).view(shape);
  };
  return nn::reinforce_loss(samples, placed(losses), placed(at::ones_like(losses, at::kBool)));
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
Tensor read_on(models::Model& model, const data::MicroBatch& batch, const Tensor& input, RecurrentStates* carried) {
  check(carried != nullptr && batch.source.columns == 0, "a continuous text needs carried states and a language model");
  std::vector<models::CellState> states = carried->before(batch);
  const Tensor hidden = model.decoder->read_on(input, states).hidden;
  carried->after(batch, states);
  return hidden;
}

models::Decoded read_target(models::Model& model, const Tensor& target, const models::Memory* memory,
                            const SampledReading& reading, const models::RequestedOutputs& want) {
  const bool forced = reading.teacher_forcing >= 1 || !model.is_training();
  if (forced) return model.decoder->forward(target, memory, want);
  check(!want.attention, "guided alignment needs the words of the target");
  return read_sampling(model, target, memory, reading);
}

/// The links of a micro-batch as tensors on the host: target tokens and sources, int64 [N], and their shares.
nn::AlignmentLinks links_of(const data::MicroBatch& batch, int64_t target_columns) {
  std::vector<int64_t> targets, sources;
  std::vector<float> shares;
  for (const data::TokenLink& link : batch.links) {
    targets.push_back(link.row * target_columns + link.target);
    sources.push_back(link.source);
    const float weight = batch.weights.empty() ? 1 : batch.weights[static_cast<size_t>(link.row)];
    shares.push_back(link.share * weight);
  }
  return {.targets = torch::tensor(targets, at::kLong),
          .sources = torch::tensor(sources, at::kLong),
          .shares = torch::tensor(shares, at::kFloat)};
}

/// The loss of a micro-batch by the type of its targets.
struct PartLoss {
  models::Model& model;
  const data::MicroBatch& batch;
  c10::Device device;
  const LossOptions& options;
  RecurrentStates* carried;
  SampledReading reading;

  nn::LossSum operator()(const data::TokenTargets& targets) const {
    check(model.decoder != nullptr, "only a decoder writes text");
    const int64_t passes = passes_of_training();
    const Predicted predicted = predicted_places(targets, batch.weights, passes);
    const nn::AlignmentLinks links = is_guided() ? links_of(batch, targets.ids.columns - 1) : nn::AlignmentLinks{};
    const auto uploaded = upload(batch,
                                 std::array{to_tensor(targets.ids), torch::tensor(predicted.places, at::kLong),
                                            torch::tensor(predicted.ids, at::kLong), tensor_of(predicted.weights),
                                            links.targets, links.sources, links.shares},
                                 device);
    const auto& [tokens, places, ids, weights, link_targets, link_sources, link_shares] = uploaded.of_targets;
    const Tensor input = tokens.slice(1, 0, -1);
    const nn::Distillation taught = distillation(uploaded.source, input, places.narrow(0, 0, ids.size(0)));
    const nn::CutoffScope cutoff(cutoff_of(passes));
    const models::Decoded decoded = decode(repeated(uploaded.source, batch.vectors, passes), repeated(input, passes));
    nn::LossSum sum = cross_entropy(decoded.hidden, places, ids, weights, taught);
    if (decoded.samples.any()) sum.loss = sum.loss + loss_of_samples(decoded.samples, places, sum.rows);
    if (is_guided()) {
      check(decoded.attention.defined(), "guided alignment needs attention to the source");
      const nn::AlignmentLinks there{.targets = link_targets, .sources = link_sources, .shares = link_shares};
      sum.loss = sum.loss + guided_alignment_loss(decoded.attention, there, passes) * options.guided_alignment;
    }
    if (options.risk && model.is_training()) sum.loss = with_risk(sum.loss, uploaded.source);
    return sum;
  }

  nn::LossSum operator()(const data::LabelTargets& targets) const {
    check(model.head != nullptr, "only a head predicts labels");
    if (model.head->crf) return loss_of_sentences(targets);
    const int64_t passes = passes_of_training();
    const Predicted predicted = predicted_places(targets, batch.weights, passes);
    const auto uploaded = upload(batch,
                                 std::array{torch::tensor(predicted.places, at::kLong),
                                            torch::tensor(predicted.ids, at::kLong), tensor_of(predicted.weights)},
                                 device);
    const auto& [places, ids, weights] = uploaded.of_targets;
    const nn::CutoffScope cutoff(cutoff_of(passes));
    const models::Source source = repeated(uploaded.source, batch.vectors, passes);
    const Tensor hidden = model.head->forward(model.encode(source)).hidden;
    // Only words have labels, not end-of-sentence and the vectors that follow.
    return cross_entropy(hidden.slice(1, 0, targets.labels.columns), places, ids, weights, {});
  }

  nn::LossSum operator()(const data::NumberTargets& targets) const {
    check(model.head != nullptr, "only a head predicts numbers");
    const auto uploaded = upload(batch, std::array{to_tensor(targets), tensor_of(batch.weights)}, device);
    const auto& [numbers, weights] = uploaded.of_targets;
    const Tensor hidden = model.head->forward(model.encode(uploaded.source)).hidden;
    return number_loss(dynamic_cast<const models::NumberHead&>(*model.head), model.output(hidden.squeeze(1)), numbers,
                       weights);
  }

 private:
  bool is_guided() const { return options.guided_alignment > 0 && !batch.links.empty() && model.is_training(); }

  int64_t passes_of_training() const { return options.r_drop > 0 && model.is_training() ? 2 : 1; }

  nn::CutoffOptions cutoff_of(int64_t passes) const { return passes == 2 ? options.cutoff : nn::CutoffOptions{}; }

  /// The loss of labels that a CRF scores together.
  nn::LossSum loss_of_sentences(const data::LabelTargets& targets) const {
    const LabelledWords words = labelled_words(targets);
    const auto uploaded =
        upload(batch, std::array{words.places, words.labels, words.real, tensor_of(batch.weights)}, device);
    const auto& [places, labels, real, weights] = uploaded.of_targets;
    const Tensor hidden = model.head->forward(model.encode(uploaded.source)).hidden;
    return crf_loss(model, hidden, {.places = places, .labels = labels, .real = real}, weights);
  }

  /// The decoder's hidden states, float [passes * S, T, d]. input: int64 [passes * S, T].
  models::Decoded decode(const models::Source& source, const Tensor& input) const {
    if (batch.text) {
      check(input.size(0) == batch.tokens().rows, "a continuous text is read once");
      models::Decoded decoded;
      decoded.hidden = read_on(model, batch, input, carried);
      return decoded;
    }
    if (!model.encoder) return read_target(model, input, nullptr, reading, {});
    const models::Memory memory = model.encode(source);
    return read_target(model, input, &memory, reading, {.attention = is_guided()});
  }

  /// What the teachers predict at `places`, int64 [N] in their hidden states [S, T, d]. input: int64 [S, T].
  nn::Distillation distillation(const models::Source& source, const Tensor& input, const Tensor& places) const {
    nn::Distillation taught{.weight = options.teachers.weight, .temperature = options.teachers.temperature};
    if (!model.is_training()) return taught;
    const at::NoGradGuard no_grad;
    for (const auto& teacher : options.teachers.models) {
      models::Memory memory;
      if (teacher->encoder) memory = teacher->encode(source);
      const Tensor hidden = teacher->decoder->forward(input, teacher->encoder ? &memory : nullptr).hidden;
      taught.teachers.push_back({.hidden = hidden.flatten(0, 1).index_select(0, places),
                                 .weight = teacher->output->matrix(),
                                 .bias = teacher->output->bias});
    }
    return taught;
  }

  /// The loss, mixed with the risk. Its value is the risk; its gradient is that of the samples' weighted likelihoods.
  Tensor with_risk(const Tensor& loss, const models::Source& source) const {
    const auto sampled = std::make_shared<const RiskBatch>(sample_risks(model, source, batch, *options.risk));
    const Tensor of_samples = part_loss(model, sampled->samples, device).loss;
    of_samples.register_hook([sampled](const Tensor&) {});  // the backward pass still reads the ids of the batch
    const double weight = options.risk->options.weight;
    return loss * (1 - weight) + (of_samples - of_samples.detach() + sampled->risk) * weight;
  }

  /// hidden: float [passes * S, T, d]. places: int64 [passes * N], of the hidden states. ids: int64 [N]. weights: float
  /// [N]; undefined: 1.
  nn::LossSum cross_entropy(const Tensor& hidden, const Tensor& places, const Tensor& ids, const Tensor& weights,
                            nn::Distillation taught) const {
    const Tensor real = hidden.flatten(0, 1).index_select(0, places);  // [passes * N, d]
    nn::LossTerms terms{
        .label_smoothing = options.label_smoothing, .weights = weights, .distillation = std::move(taught)};
    if (passes_of_training() == 2) terms.r_drop = options.r_drop;
    return nn::cross_entropy(real, model.output->matrix(), model.output->bias, ids, terms);
  }
};

Replica replica_of(std::shared_ptr<models::Model> model, c10::Device device, const LossOptions& options,
                   RecurrentStates* carried) {
  std::vector<Tensor> parameters;
  for (const auto& [name, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
  return {.parameters = std::move(parameters),
          .loss = [model = std::move(model), device, options, carried](const data::MicroBatch& batch,
                                                                       const StepInputs& step) {
            LossOptions of_step = options;
            if (!step.r_drop) of_step.r_drop = 0;
            return part_loss(*model, batch, device, of_step, carried, step.teacher_forcing);
          }};
}

}  // namespace

nn::LossSum part_loss(models::Model& model, const data::MicroBatch& batch, c10::Device device,
                      const LossOptions& options, RecurrentStates* carried, double teacher_forcing) {
  return std::visit(
      PartLoss{model, batch, device, options, carried, {.teacher_forcing = teacher_forcing, .word = options.own_word}},
      batch.target);
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
