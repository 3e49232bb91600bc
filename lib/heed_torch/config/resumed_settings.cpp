
#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed_torch/checkpoint/checkpoints.h"
#include "heed_torch/config/run_settings.h"

namespace heed::config {
namespace {

constexpr auto kSides =
    std::to_array<std::string_view>({"source", "source-vectors", "source-images", "source-audio", "target"});
constexpr auto kValidSides = std::to_array<std::string_view>(
    {"valid-source", "valid-source-vectors", "valid-source-images", "valid-source-audio", "valid-target"});

bool names_any(const std::vector<Layer>& layers, std::span<const std::string_view> names) {
  return std::ranges::any_of(layers, [&](const Layer& layer) {
    return std::ranges::any_of(layer,
                               [&](const Setting& one) { return std::ranges::find(names, one.name) != names.end(); });
  });
}

/// Returns whether there were any.
bool erase_named(Layer& saved, std::span<const std::string_view> names) {
  return std::erase_if(saved, [&](const Setting& one) { return std::ranges::find(names, one.name) != names.end(); }) >
         0;
}

/// Leaves out of `saved` the text that `layers` name in the other form. Returns whether there was any.
bool replace_text(Layer& saved, const std::vector<Layer>& layers, std::span<const std::string_view> sides,
                  std::string_view pairs) {
  if (names_any(layers, {{pairs}})) return erase_named(saved, sides);
  return names_any(layers, sides) && erase_named(saved, {{pairs}});
}

/// Leaves out of `saved` what belongs to text in the other form.
void replace_texts(Layer& saved, const std::vector<Layer>& layers) {
  constexpr auto kBeside = std::to_array<std::string_view>({"weights", "weight-column", "alignments"});
  constexpr auto kPairs = std::to_array<std::string_view>({"pairs", "valid-pairs"});
  constexpr auto kOfRows = std::to_array<std::string_view>({"data.quotes", "data.header", "data.bad-rows"});
  if (replace_text(saved, layers, kSides, "pairs")) erase_named(saved, kBeside);
  replace_text(saved, layers, kValidSides, "valid-pairs");
  if (!names_any(layers, kPairs) && !names_any({saved}, kPairs)) erase_named(saved, kOfRows);
}

/// A limit in tokens or epochs replaces a saved limit in steps, just as it replaces the preset's limit.
void replace_limit(Layer& saved, const std::vector<Layer>& layers) {
  constexpr auto kOthers = std::to_array<std::string_view>({"train.max-epochs", "train.max-tokens"});
  if (names_any(layers, kOthers))
    std::erase_if(saved, [](const Setting& one) { return one.name == "train.max-steps"; });
}

void refuse_other_preset(const Layer& saved, const std::vector<Layer>& layers, const std::string& path) {
  const std::string before = last_value({saved}, "preset");
  const std::string now = last_value(layers, "preset");
  if (now.empty() || now == before) return;
  throw ConfigError("preset",
                    fmt::format("must be {}, as in {}, which gives all options of the training", before, path));
}

}  // namespace

Layer resumed_settings(const std::vector<Layer>& layers) {
  const std::string model = last_value(layers, "model");
  const std::string path = fmt::format("{}/{}", model, kConfigFile);
  if (model.empty() || !std::filesystem::exists(path)) return {};
  const bool names_text = names_any(layers, kSides) || names_any(layers, {{"pairs"}});
  if (names_text && !checkpoint::has_checkpoints(model)) return {};
  Layer saved = read_saved_settings(path);
  if (!names_text) refuse_other_preset(saved, layers, path);
  replace_texts(saved, layers);
  replace_limit(saved, layers);
  return saved;
}

}  // namespace heed::config
