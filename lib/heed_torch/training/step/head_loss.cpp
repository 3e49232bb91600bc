#include "heed_torch/training/step/head_loss.h"

#include <algorithm>
#include <vector>

#include <ATen/ATen.h>

namespace heed::training {
namespace {

/// losses: [S]. weights: [S], or undefined.
nn::LossSum weighted_sum(const Tensor& losses, const Tensor& weights) {
  const Tensor loss = weights.defined() ? (losses * weights).sum() : losses.sum();
  return {.loss = loss, .rows = {}, .nll = losses.detach().sum()};
}

}  // namespace

nn::LossSum number_loss(const models::NumberHead& head, const Tensor& outputs, const Tensor& targets,
                        const Tensor& weights) {
  const Tensor error = outputs.to(targets.scalar_type()) - head.standardized(targets);
  const Tensor losses = head.loss() == models::NumberLoss::Squared ? error.square() : error.abs();
  return weighted_sum(losses.sum(1), weights);
}

LabelledWords labelled_words(const data::LabelTargets& targets) {
  const data::IdMatrix& target = targets.labels;
  std::vector<std::vector<int64_t>> columns(static_cast<size_t>(target.rows));
  size_t longest = 0;
  for (int64_t row = 0; row < target.rows; ++row) {
    auto& found = columns[static_cast<size_t>(row)];
    for (int64_t column = 0; column < target.columns; ++column) {
      if (target.ids[static_cast<size_t>(row * target.columns + column)] != text::kNoLabel) found.push_back(column);
    }
    longest = std::max(longest, found.size());
  }
  const auto shape = {target.rows, static_cast<int64_t>(longest)};
  LabelledWords words{.places = at::zeros(shape, at::kLong),
                      .labels = at::zeros(shape, at::kLong),
                      .real = at::zeros(shape, at::kBool)};
  auto places = words.places.accessor<int64_t, 2>();
  auto labels = words.labels.accessor<int64_t, 2>();
  auto real = words.real.accessor<bool, 2>();
  for (int64_t row = 0; row < target.rows; ++row) {
    int64_t word = 0;
    for (const int64_t column : columns[static_cast<size_t>(row)]) {
      places[row][word] = column;
      labels[row][word] = target.ids[static_cast<size_t>(row * target.columns + column)];
      real[row][word++] = true;
    }
  }
  return words;
}

nn::LossSum crf_loss(models::Model& model, const Tensor& hidden, const LabelledWords& words, const Tensor& weights) {
  const Tensor places = words.places.unsqueeze(2).expand({-1, -1, hidden.size(2)});
  const Tensor scores = model.logits(hidden.gather(1, places)).to(at::kFloat);  // [S, words, labels]
  return weighted_sum(model.head->crf->loss(scores, words.labels, words.real), weights);
}

}  // namespace heed::training
