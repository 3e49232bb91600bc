// Settings: values of described options as text, read from a preset, a configuration file or the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heed/command_line/option_list.h"

namespace heed::config {

struct Setting {
  std::string name;  ///< dotted, without leading dashes; readers replace former names (former_names.h)
  std::vector<std::string> values = {};
  std::string place = {};   ///< "run.toml:3"; empty for the command line
  std::string former = {};  ///< the name that the user wrote, if it is a former one

  /// The option for messages: "`--arch.d-model`" or "run.toml:3: `arch.d-model`". A former name precedes the present
  /// one.
  std::string shown() const;
};

/// The settings of one source. A later layer overrides an earlier one. If it selects another alternative, earlier
/// settings that belong only to the old alternative are ignored.
using Layer = std::vector<Setting>;

/// The last value of an option in `layers`; empty if it has none or a list of values.
std::string last_value(const std::vector<Layer>& layers, std::string_view name);

/// Applies settings to the options that `walk` visits. Throws ConfigError for an unknown name (with similar ones), a
/// repeated name in a layer, an option of an alternative that is not selected, and an invalid value. Also throws it for
/// an empty text on the command line that overrides nothing.
void apply_layers(const VisitOptions& walk, const std::vector<Layer>& layers);

/// Throws the error that a value is not one of the option.
[[noreturn]] void fail_value(const Setting& setting, const OptionEntry& option);
/// Throws the error that the option does not exist.
[[noreturn]] void fail_unknown(const Setting& setting, const OptionList& known);

}  // namespace heed::config
