// The losses of models with heads, against the same from the model's own outputs, row by row.
#include "heed_torch/training/step/head_loss.h"

#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include <torch/torch.h>

#include "heed/data/batches/batching.h"
#include "heed_torch/nn/random/random_scope.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "support/tiny_models.h"

namespace heed::training {
namespace {

using models::Model;
using text::ClassLabel;
using text::kNoLabel;
using text::Numbers;
using text::WordLabels;

constexpr int64_t kOutputs = 3;

const std::vector<text::Ids> kHeadSources{{5, 6, 7}, {8}, {9, 10, 11}};

struct Head {
  models::HeadOptions options;
  std::vector<text::Target> targets;
};

std::vector<Head> all_heads() {
  const std::vector<text::Target> words{WordLabels{{0, kNoLabel, 2}}, WordLabels{{1}}, WordLabels{{kNoLabel, 1, 1}}};
  const std::vector<text::Target> numbers{Numbers{{1, 2, 3}}, Numbers{{-1, 0, 5}}, Numbers{{0.5F, 9, -3}}};
  return {{{.type = models::ClassHeadOptions{}}, {ClassLabel{0}, ClassLabel{2}, ClassLabel{1}}},
          {{.type = models::LabelHeadOptions{}}, words},
          {{.type = models::LabelHeadOptions{.crf = true}}, words},
          {{.type = models::NumberHeadOptions{}}, numbers},
          {{.type = models::NumberHeadOptions{.pooling = {}, .loss = models::NumberLoss::Absolute}}, numbers}};
}

std::shared_ptr<Model> make_model(const Head& head, double dropout = 0) {
  models::ArchitectureOptions options = heed::testing::tiny_transformer();
  options.dropout = dropout;
  options.decoder.type = models::NoDecoderOptions{};
  options.head = head.options;
  options.tied_embeddings = models::TiedEmbeddings::None;
  options.output_bias = true;
  auto model = models::build_model(options, {.source = 20, .target = kOutputs}, 3);
  const torch::NoGradGuard no_grad;
  torch::manual_seed(1);
  if (model->head->crf) model->head->crf->transitions.normal_();
  if (auto* numbers = dynamic_cast<models::NumberHead*>(model->head.get())) {
    numbers->set_statistics(torch::tensor({0.5, 1.0, -2.0}), torch::tensor({2.0, 0.5, 3.0}));
  }
  return model;
}

data::MicroBatch batch_of(const Head& head, const std::vector<size_t>& rows) {
  std::vector<data::BatchPair> pairs;
  for (const size_t row : rows) {
    pairs.push_back({.line = static_cast<int64_t>(row), .source = kHeadSources[row], .target = head.targets[row]});
  }
  return data::make_batch(pairs, true);
}

/// The outputs of a row read alone: [T, outputs].
Tensor outputs_of(Model& model, size_t row) {
  std::vector<int64_t> ids(kHeadSources[row].begin(), kHeadSources[row].end());
  ids.push_back(text::kEos);
  const models::Memory memory = model.encode(torch::tensor(ids).unsqueeze(0));
  return model.logits(model.head->forward(memory).hidden).squeeze(0);
}

double sum_of_labels(Model& model, const Tensor& outputs, const text::Ids& target) {
  std::vector<int64_t> places, labels;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i] == kNoLabel) continue;
    places.push_back(static_cast<int64_t>(i));
    labels.push_back(target[i]);
  }
  const Tensor scores = outputs.index_select(0, torch::tensor(places));
  const Tensor gold = torch::tensor(labels);
  if (model.head->crf) {
    return model.head->crf->loss(scores.unsqueeze(0), gold.unsqueeze(0), torch::ones({1, gold.size(0)}, torch::kBool))
        .item<double>();
  }
  return torch::nn::functional::cross_entropy(scores, gold,
                                              torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
      .item<double>();
}

double sum_of_numbers(Model& model, const Tensor& outputs, const Numbers& targets) {
  const std::vector<double> mean{0.5, 1.0, -2.0}, deviation{2.0, 0.5, 3.0};
  const bool squared = dynamic_cast<models::NumberHead&>(*model.head).loss() == models::NumberLoss::Squared;
  double sum = 0;
  for (size_t i = 0; i < mean.size(); ++i) {
    const double target = (targets.values[i] - mean[i]) / deviation[i];
    const double error = outputs[0][static_cast<int64_t>(i)].item<double>() - target;
    sum += squared ? error * error : std::abs(error);
  }
  return sum;
}

double loss_alone(Model& model, const Head& head, size_t row) {
  const Tensor outputs = outputs_of(model, row);
  const text::Target& target = head.targets[row];
  if (const auto* numbers = std::get_if<Numbers>(&target)) return sum_of_numbers(model, outputs, *numbers);
  if (const auto* words = std::get_if<WordLabels>(&target)) return sum_of_labels(model, outputs, words->labels);
  return sum_of_labels(model, outputs, {std::get<ClassLabel>(target).label});
}

TEST(HeadLoss, IsTheSumOverTheRowsReadAlone) {
  for (const Head& head : all_heads()) {
    const auto model = make_model(head);
    double expected = 0;
    for (size_t row = 0; row < kHeadSources.size(); ++row) {
      expected += loss_alone(*model, head, row);
    }
    const nn::LossSum sum = part_loss(*model, batch_of(head, {0, 1, 2}), c10::kCPU);
    EXPECT_NEAR(sum.loss.item<double>(), expected, 1e-4) << head.options.type.index();
    EXPECT_NEAR(sum.nll.item<double>(), expected, 1e-4) << head.options.type.index();
  }
}

TEST(HeadLoss, ARowCountsByItsWeightAndItsLikelihoodDoesNot) {
  const std::vector<float> weights{2, 0.5f, 1};
  for (const Head& head : all_heads()) {
    const auto model = make_model(head);
    double nll = 0, loss = 0;
    for (size_t row = 0; row < weights.size(); ++row) {
      const double alone = loss_alone(*model, head, row);
      nll += alone;
      loss += static_cast<double>(weights[row]) * alone;
    }
    data::MicroBatch batch = batch_of(head, {0, 1, 2});
    batch.weights = weights;
    const nn::LossSum sum = part_loss(*model, batch, c10::kCPU);
    EXPECT_NEAR(sum.loss.item<double>(), loss, 1e-4 * std::abs(loss)) << head.options.type.index();
    EXPECT_NEAR(sum.nll.item<double>(), nll, 1e-4) << head.options.type.index();
  }
}

std::vector<Tensor> gradients_of(const Head& head, const std::vector<std::vector<size_t>>& parts, int64_t replicas) {
  const auto model = make_model(head);
  data::StepBatch step;
  for (const auto& rows : parts) {
    step.micro_batches.push_back(batch_of(head, rows));
    step.target_tokens += step.micro_batches.back().target_tokens;
  }
  std::vector<Tensor> parameters, gradients;
  for (const auto& [name, parameter] : trainable_parameters(*model)) parameters.push_back(parameter);
  GradientComputer computer(parameters, make_replicas(model, replicas, c10::kCPU), {.seed = 1});
  computer.compute(step, {.number = 1});
  for (const Tensor& parameter : parameters) gradients.push_back(parameter.grad().clone());
  return gradients;
}

TEST(HeadLoss, PartsAndReplicasGiveTheSameGradient) {
  for (const Head& head : all_heads()) {
    const auto whole = gradients_of(head, {{0, 1, 2}}, 1);
    const auto parts = gradients_of(head, {{0, 1}, {2}}, 1);
    const auto replicas = gradients_of(head, {{0, 1}, {2}}, 2);
    for (size_t i = 0; i < whole.size(); ++i) {
      EXPECT_TRUE(torch::allclose(whole[i], parts[i], 1e-4, 1e-6)) << head.options.type.index() << ", " << i;
      EXPECT_TRUE(torch::equal(parts[i], replicas[i])) << head.options.type.index() << ", " << i;
    }
  }
}

TEST(HeadLoss, LabelsAreReadTwiceWithRDrop) {
  for (const Head& head : {all_heads()[0], all_heads()[1]}) {
    const auto model = make_model(head, /*dropout=*/0.3);
    const data::MicroBatch batch = batch_of(head, {0, 1, 2});
    const auto loss = [&](double r_drop) {
      const nn::RandomScope random(1, 1, 0);
      return part_loss(*model, batch, c10::kCPU, {.r_drop = r_drop}).loss.item<double>();
    };
    EXPECT_GT(loss(5), loss(1e-9));  // the divergence of two readings adds
  }
}

}  // namespace
}  // namespace heed::training
