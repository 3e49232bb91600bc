#include "heed_torch/config/presets.h"

#include <algorithm>

#include "heed/command_line/settings_file.h"
#include "heed/core/enum_names.h"
#include "heed_torch/config/preset_files.h"

namespace heed::config {

std::string_view preset_toml(Preset preset) {
  const std::string_view name = enum_name(preset);
  return std::ranges::find(kPresetFiles, name, &PresetFile::name)->text;
}

RunOptions preset_options(Preset preset) {
  RunOptions options;
  options.preset = preset;
  apply_layers(visit_options(options), {parse_settings(preset_toml(preset), "preset")});
  return options;
}

}  // namespace heed::config
