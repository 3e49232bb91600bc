// Values of described options as text, on their way from a preset, a configuration file or the command line to the
// options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heed/command_line/option_list.h"

namespace heed::config {

struct Setting {
  std::string name;  ///< dotted, without dashes in front
  std::vector<std::string> values = {};
  std::string place = {};  ///< "run.toml:3"; empty for the command line

  /// The option as its user wrote it, for messages: "`--arch.d-model`" or "run.toml:3: `arch.d-model`".
  std::string shown() const;
};

/// The settings of one source. A later layer overrides an earlier one; where it chooses another alternative, what
/// earlier ones say of the old alternative alone is left out.
using Layer = std::vector<Setting>;

/// The last value that `layers` give an option, by its present name; empty without one, and for a list of values.
std::string last_value(const std::vector<Layer>& layers, std::string_view name);

/// Sets the options that `walk` visits, also under their former names (former_names.h). Throws ConfigError for a name
/// that does not exist (with the nearest ones), a name that stands twice in a layer, an option of an alternative that
/// is not chosen, a value that does not fit, and an empty text on the command line where nothing else is set.
void apply_layers(const Walk& walk, const std::vector<Layer>& layers);

/// The error that an option's value is another than `expected`.
[[noreturn]] void fail_value(const Setting& setting, const std::string& expected);
/// The error that the option of a setting does not exist.
[[noreturn]] void fail_unknown(const Setting& setting, const OptionList& known);

}  // namespace heed::config
