// Every preset, made small, has the loss and the gradients that tests/reference computes for the model that the preset
// stands for; the values are stored.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/all_presets.h"
#include "heed_torch/config/presets.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/config/run_settings.h"
#include "support/parity.h"
#include "support/stored_json.h"

namespace heed::config {
namespace {

using Overrides = std::map<std::string, std::string>;

/// As PRESETS of tests/reference/recurrent_values.py.
Overrides sizes_of(const std::string& preset) {
  const bool language_model = preset.starts_with("lm-");
  Overrides sizes;
  const auto both = [&](const std::string& option, const std::string& value) {
    if (!language_model) sizes["arch.encoder." + option] = value;
    sizes["arch.decoder." + option] = value;
  };
  if (preset.find("transformer") != std::string::npos) {
    sizes["arch.d-model"] = "8";
    both("layers", "2");
    both("heads", "2");
    both("feed-forward.hidden", "12");
    return sizes;
  }
  sizes["arch.d-model"] = "6";
  if (preset == "conv") {
    both("layers", "2");
    both("hidden", "5");
    both("kernel", "3");
    both("max-length", "8");
    return sizes;
  }
  both("hidden", "6");
  if (preset == "rnn-bahdanau" || preset == "rnn-memory" || preset == "rnn-gnmt") sizes["arch.encoder.hidden"] = "3";
  return sizes;
}

class PresetParity : public ::testing::TestWithParam<Preset> {};

TEST_P(PresetParity, LossAndEveryGradientEqualTheReference) {
  const std::string preset = name_of(GetParam());
  std::vector<Setting> settings{{.name = "preset", .values = {preset}}};
  for (const auto& [name, value] : sizes_of(preset)) settings.push_back({.name = name, .values = {value}});
  heed::testing::ParityModel model{.options = read_run_options({}, settings).arch};
  if (!model.options.has_encoder()) model.sizes.source = 0;
  const nlohmann::json stored = heed::testing::stored_json("config/stored/preset_parity.json");
  ASSERT_TRUE(stored["kinds"].contains(preset)) << "add " << preset << " to tests/reference/recurrent_values.py";
  heed::testing::expect_parity(model, stored, stored["kinds"][preset], at::kFloat, 1e-5);
  heed::testing::expect_parity(model, stored, stored["kinds"][preset], at::kDouble, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(All, PresetParity, ::testing::ValuesIn(all_presets()));

}  // namespace
}  // namespace heed::config
