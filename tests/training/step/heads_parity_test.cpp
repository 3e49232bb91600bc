// Loss and every gradient of each head, and of each kind of source, agree with those of the plain PyTorch of
// tests/reference/heads_values.py, which are stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "heed/text/tokenizer.h"
#include "heed_torch/models/model.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "support/parity.h"

namespace heed::training {
namespace {

using heed::testing::set_values;
using heed::testing::stored_json;
using heed::testing::weighted_sums;
using nlohmann::json;

nn::ChannelAttentionOptions channel_attention_of(const json& kind) {
  const std::string name = kind.value("channel_attention", "");
  if (name.empty()) return nn::NoChannelAttention{};
  const nn::ChannelNetworkOptions network{.reduction = kind["reduction"]};
  if (name == "cbam") return nn::Cbam{.network = network};
  return nn::SqueezeExcitation{.network = network};
}

models::VectorOptions vectors_of(const json& kind) {
  if (!kind.contains("vectors")) return {};
  const bool grid = kind.contains("grid");
  const models::VectorForm form{.width = 2, .grid = grid, .standardize = false};
  models::GridPositionOptions positions{.longest_side = 4};
  if (kind.value("positions", "") == "sinusoidal") positions.positions = models::GridPositions::Sinusoidal;
  if (kind.value("positions", "") == "learned") positions.positions = models::GridPositions::Learned;
  if (kind["vectors"] == "projection") return {models::ProjectedVectors{.form = form, .grid = positions}};
  if (kind["vectors"] == "patches") return {models::PatchVectors{.form = form, .grid = positions, .size = 2}};
  return {models::ConvolvedVectors{
      .form = form, .grid = positions, .channels = 4, .channel_attention = channel_attention_of(kind)}};
}

models::PoolingOptions pooling_of(const json& kind) {
  const std::string name = kind.value("pooling", "");
  if (name == "last") return models::LastPooling{};
  if (name == "mean") return models::MeanPooling{};
  if (name == "max") return models::MaxPooling{};
  return models::AttentionPooling{};
}

models::HeadOptions head_of(const json& kind) {
  if (kind["head"] == "class") return {models::ClassHeadOptions{.pooling = pooling_of(kind)}};
  if (kind["head"] == "labels") return {models::LabelHeadOptions{.crf = kind.contains("crf")}};
  return {models::NumberHeadOptions{
      .pooling = pooling_of(kind),
      .loss = kind.contains("absolute") ? models::NumberLoss::Absolute : models::NumberLoss::Squared}};
}

/// With the first sizes of tests/reference/heads_values.py.
std::shared_ptr<models::Model> model_of(const json& kind, const json& stored) {
  models::ArchitectureOptions options;
  options.d_model = 8;
  options.dropout = 0;
  options.tied_embeddings = models::TiedEmbeddings::None;
  options.output_bias = true;
  options.vectors = vectors_of(kind);
  options.encoder.type = models::IdentityEncoderOptions{};
  options.decoder.type = models::NoDecoderOptions{};
  options.head = head_of(kind);
  auto model = models::build_model(options, {.source = kind.contains("text") ? 9 : 0, .target = 3}, 1);
  for (auto& item : model->named_parameters()) set_values(item.key(), item.value());
  if (auto* head = dynamic_cast<models::NumberHead*>(model->head.get())) {
    const auto statistic = [&](const char* name) { return torch::tensor(stored[name].get<std::vector<double>>()); };
    head->set_statistics(statistic("mean"), statistic("deviation"));
  }
  return model;
}

data::IdMatrix ids_of(const json& rows, int64_t columns, int64_t padding) {
  data::IdMatrix matrix{.rows = static_cast<int64_t>(rows.size()), .columns = columns, .ids = {}};
  for (const auto& row : rows) {
    const auto ids = row.is_array() ? row.get<std::vector<int64_t>>() : std::vector{row.get<int64_t>()};
    matrix.ids.insert(matrix.ids.end(), ids.begin(), ids.end());
    matrix.ids.resize(matrix.ids.size() + static_cast<size_t>(columns) - ids.size(), padding);
  }
  return matrix;
}

data::VectorBlock vectors_of(const json& items, const json& shapes) {
  data::VectorBlock block{.rows = 0, .columns = 0, .width = 2};
  for (const auto& shape : shapes) {
    block.shapes.push_back({.rows = shape[0], .columns = shape[1]});
    block.rows = std::max(block.rows, block.shapes.back().rows);
    block.columns = std::max(block.columns, block.shapes.back().columns);
  }
  block.values.resize(items.size() * static_cast<size_t>(block.rows * block.columns * block.width));
  for (size_t item = 0; item < items.size(); ++item) {
    for (size_t row = 0; row < items[item].size(); ++row) {
      for (size_t column = 0; column < items[item][row].size(); ++column) {
        const size_t place =
            (item * static_cast<size_t>(block.rows) + row) * static_cast<size_t>(block.columns) + column;
        block.values[2 * place] = items[item][row][column][0];
        block.values[2 * place + 1] = items[item][row][column][1];
      }
    }
  }
  return block;
}

data::MicroBatch batch_of(const json& kind, const json& stored) {
  data::MicroBatch batch;
  batch.source = ids_of(stored["source"], kind.contains("text") ? 4 : 0, text::kPad);
  if (!kind.contains("text")) batch.source.ids.clear();
  if (kind.contains("vectors")) {
    const char* shape = kind.contains("grid") ? "grids" : "sequences";
    batch.vectors = vectors_of(stored["vectors"][shape], stored[shape]);
  }
  if (kind["head"] == "class") {
    batch.target = data::LabelTargets{ids_of(stored["classes"], 1, text::kNoLabel)};
    batch.target_tokens = 3;
  } else if (kind["head"] == "labels") {
    batch.target = data::LabelTargets{ids_of(stored["word_labels"], 3, text::kNoLabel)};
    batch.target_tokens = 6;
  } else {
    data::NumberTargets targets{.rows = 3, .columns = 3, .numbers = {}};
    for (const auto& row : stored["numbers"]) {
      for (const float number : row) targets.numbers.push_back(number);
    }
    batch.target = targets;
    batch.target_tokens = 9;
  }
  return batch;
}

TEST(HeadsParity, LossAndEveryGradientEqualTheReference) {
  const json stored = stored_json("models/stored/heads_parity.json");
  ASSERT_GE(stored["kinds"].size(), 14);
  for (const auto& [name, kind] : stored["kinds"].items()) {
    SCOPED_TRACE(name);
    const auto model = model_of(kind, stored);
    const data::MicroBatch batch = batch_of(kind, stored);
    const Tensor loss = part_loss(*model, batch, c10::kCPU).loss / batch.target_tokens;
    loss.backward();
    EXPECT_NEAR(loss.item<double>(), kind["loss"].get<double>(), 1e-5);
    const auto parameters = model->named_parameters();
    EXPECT_EQ(parameters.size(), kind["gradients"].size());
    for (const auto& [parameter, values] : kind["gradients"].items()) {
      ASSERT_TRUE(parameters.contains(parameter)) << parameter;
      const Tensor wanted = at::tensor(values.get<std::vector<double>>(), at::kDouble);
      const Tensor sums = weighted_sums(parameter, parameters[parameter].grad(), values.size());
      EXPECT_LT((sums - wanted).abs().max().item<double>(), 1e-5) << parameter;
    }
  }
}

}  // namespace
}  // namespace heed::training
