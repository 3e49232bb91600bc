// Compares loss and gradients of a model with those that the plain PyTorch of tests/reference computed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "heed_torch/models/model.h"
#include "heed_torch/nn/attention/idf_table.h"
#include "heed_torch/nn/losses/cross_entropy.h"
#include "support/stored_json.h"
#include "support/tiny_models.h"

namespace heed::testing {

struct ParityModel {
  models::ArchitectureOptions options;
  models::VocabularySizes sizes{.source = 9, .target = 9};
};

/// `count` numbers from -1/2 to 1/2 that follow from a name; this and the next two are functions of
/// tests/reference/transformer_values.py.
inline std::vector<double> hashed(const std::string& name, int64_t count) {
  uint32_t key = 0;
  for (const char letter : name) key = key * 31 + uint8_t(letter);
  std::vector<double> values;
  for (uint32_t i = 0; i < uint32_t(count); ++i) {
    uint32_t x = i * 2654435761U + key;
    for (int round = 0; round < 2; ++round) x = (x ^ (x >> 16)) * 73244475U;
    x ^= x >> 16;
    values.push_back(x / 4294967296.0 - 0.5);
  }
  return values;
}

/// weighted_sums: `count` weighted sums of a gradient's elements. A weight follows from the element's index and has a
/// size of 1 to 2, so that an error in one element changes every sum by at least as much. Errors in several elements go
/// unseen only if they cancel in every sum.
inline torch::Tensor weighted_sums(const std::string& name, const torch::Tensor& gradient, size_t count) {
  const torch::Tensor elements = gradient.flatten().to(at::kDouble);
  std::vector<double> sums;
  for (size_t number = 0; number < count; ++number) {
    std::vector<double> weights = hashed(fmt::format("{} {}", name, number), elements.numel());
    for (double& weight : weights) weight = 2 * weight + (weight < 0 ? -1 : 1);
    sums.push_back(elements.dot(at::tensor(weights, at::kDouble)).item<double>());
  }
  return at::tensor(sums, at::kDouble);
}

/// weight_values.
inline void set_values(const std::string& name, torch::Tensor& parameter) {
  std::vector<double> values = hashed(name, parameter.numel());
  if (name.ends_with("norm.weight")) {
    for (double& value : values) value += 1;
  }
  const at::NoGradGuard no_grad;
  parameter.copy_(at::tensor(values, at::kDouble).to(at::kFloat).view_as(parameter));
}

inline torch::Tensor id_matrix(const nlohmann::json& rows) {
  const auto ids = rows.get<std::vector<std::vector<int64_t>>>();
  std::vector<torch::Tensor> stacked;
  for (const auto& row : ids) stacked.push_back(at::tensor(row, at::kLong));
  return at::stack(stacked);
}

/// The loss of a translation model or language model per predicted token, label-smoothed; as training computes it.
inline std::pair<torch::Tensor, torch::Tensor> losses(models::Model& model, const nlohmann::json& stored) {
  const torch::Tensor target = id_matrix(stored["target"]);
  const int64_t length = target.size(1) - 1;
  const models::Memory memory = model.encoder ? model.encode(id_matrix(stored["source"])) : models::Memory{};
  const torch::Tensor hidden =
      model.decoder->forward(target.narrow(1, 0, length), model.encoder ? &memory : nullptr).hidden;
  const torch::Tensor predicted = target.narrow(1, 1, length).flatten();
  const torch::Tensor real = predicted.nonzero().squeeze(1);
  const nn::LossSum sums =
      nn::smoothed_cross_entropy(hidden.flatten(0, 1).index_select(0, real), model.output->matrix(), model.output->bias,
                                 predicted.index_select(0, real), stored["label_smoothing"].get<double>());
  return {sums.loss / real.size(0), sums.nll / real.size(0)};
}

inline void expect_parity(const ParityModel& kind, const nlohmann::json& stored, const nlohmann::json& expected,
                          at::ScalarType dtype, double tolerance) {
  const auto model = models::build_model(kind.options, kind.sizes, 1);
  for (auto& item : model->named_parameters()) set_values(item.key(), item.value());
  // As IDF_LINES of tests/reference/recurrent.py: token t stands in 10 - t of 10 lines.
  if (nn::has_idf_table(*model)) nn::set_document_frequencies(*model, 10 - at::arange(kind.sizes.source), 10);
  model->to(dtype);
  model->eval();  // no dropout
  const auto [loss, nll] = losses(*model, stored);
  loss.backward();
  EXPECT_NEAR(loss.item<double>(), expected["loss"].get<double>(), tolerance);
  EXPECT_NEAR(nll.item<double>(), expected["nll"].get<double>(), tolerance);
  const auto parameters = model->named_parameters();
  EXPECT_EQ(parameters.size(), expected["gradients"].size());
  for (const auto& [name, values] : expected["gradients"].items()) {
    ASSERT_TRUE(parameters.contains(name)) << name;
    const torch::Tensor wanted = at::tensor(values.get<std::vector<double>>(), at::kDouble);
    const torch::Tensor sums = weighted_sums(name, parameters[name].grad(), values.size());
    EXPECT_LT((sums - wanted).abs().max().item<double>(), tolerance) << name;
  }
}

}  // namespace heed::testing
