// The presets, for tests that hold for each.
#pragma once

#include <string>
#include <vector>

#include "heed_torch/config/presets.h"

namespace heed::config {

inline std::vector<Preset> all_presets() {
  std::vector<Preset> presets;
  for (const auto& [preset, name] : option_names(Preset{})) presets.push_back(preset);
  return presets;
}

inline std::string name_of(Preset wanted) {
  for (const auto& [preset, name] : option_names(Preset{})) {
    if (preset == wanted) return std::string(name);
  }
  return {};
}

}  // namespace heed::config
