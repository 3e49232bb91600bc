#include "heed_torch/training/parameter_patterns.h"

#include <gtest/gtest.h>

#include <set>

#include "heed/core/error.h"
#include "heed_torch/nn/lora.h"
#include "support/message_of.h"
#include "support/tiny_models.h"

namespace heed::training {
namespace {

using heed::testing::message_of;

TEST(ParameterPatterns, AreNamesOfPartsAndStars) {
  const std::string name = "encoder.layers.10.feed_forward.hidden.weight";
  for (const char* pattern : {"encoder", "encoder.layers", "encoder.layers.10", "encoder.layers.1*", "*.hidden",
                              "*weight", "enc*", "*", "encoder.*.weight", name.c_str()}) {
    EXPECT_TRUE(matches_parameter(pattern, name)) << pattern;
  }
  for (const char* pattern : {"enc", "encoder.layers.1", "layers", "hidden", "*.bias", "decoder", "", "weight",
                              "encoder.", "encoder.layers.10.feed_forward.hidden.weights"}) {
    EXPECT_FALSE(matches_parameter(pattern, name)) << pattern;
  }
}

std::shared_ptr<models::Model> tiny_model() {
  return models::build_model(heed::testing::tiny_transformer(), {.source = 9, .target = 9}, 1);
}

std::set<std::string> trained(const torch::nn::Module& model) {
  std::set<std::string> names;
  for (const auto& item : model.named_parameters()) {
    if (item.value().requires_grad()) names.insert(item.key());
  }
  return names;
}

TEST(ParameterPatterns, FreezeWhatMatches) {
  const auto model = tiny_model();
  const size_t all = trained(*model).size();
  freeze_parameters(*model, {"encoder", "decoder.layers.*.bias"});
  const auto left = trained(*model);
  EXPECT_LT(left.size(), all / 2);
  EXPECT_TRUE(left.contains("decoder.embedding.weight"));
  for (const std::string& name : left) {
    EXPECT_FALSE(name.starts_with("encoder.")) << name;
    EXPECT_TRUE(!name.starts_with("decoder.layers.") || !name.ends_with(".bias")) << name;
  }
}

TEST(ParameterPatterns, RefuseWhatMatchesNothingAndToTrainNothing) {
  const auto model = tiny_model();
  EXPECT_EQ(message_of<ConfigError>([&] { freeze_parameters(*model, {"encoder", "enkoder"}); }),
            "`train.freeze` must name parameters, but `enkoder` matches none; the parts of this model are `encoder` "
            "and `decoder`");
  EXPECT_EQ(message_of<ConfigError>([&] { freeze_parameters(*model, {"*"}); }),
            "`train.freeze` must leave something to train, but matches all parameters");
}

TEST(ParameterPatterns, TrainBesideLoraAllButMergedWeights) {
  const auto model = tiny_model();
  nn::add_lora(*model, {});
  for (const std::string& name : trained(*model)) EXPECT_TRUE(nn::is_of_lora(name)) << name;
  train_beside_lora(*model, {"decoder.embedding", "encoder.layers.0.self_attention"});
  const auto now = trained(*model);
  EXPECT_TRUE(now.contains("decoder.embedding.weight"));
  const bool merged = std::ranges::any_of(now, [](const std::string& name) {
    return name.starts_with("encoder.layers.0.self_attention.") && name.ends_with(".weight");
  });
  EXPECT_FALSE(merged) << "their updates are trained";
  EXPECT_EQ(
      message_of<ConfigError>([&] { train_beside_lora(*model, {"head"}); }),
      "`train.adapter.modules-to-save` must name parameters, but `head` matches none; the parts of this model are "
      "`encoder` and `decoder`");
}

}  // namespace
}  // namespace heed::training
