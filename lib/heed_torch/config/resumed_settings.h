// The options that a resumed training keeps from its own directory.
#pragma once

#include <vector>

#include "heed/command_line/settings.h"

namespace heed::config {

/// The saved settings of the training that `layers` resume, as a layer between the preset and all others: an option
/// that nobody names keeps its value, also where another version of heed has another default. Empty where nothing is
/// resumed: `layers` name no `model`, or one without checkpoints. Without any text named the saved settings hold even
/// before the first checkpoint. Text that is named replaces the saved text: `pairs` both sides, a side the `pairs`.
/// Throws ConfigError, FileError.
Layer resumed_settings(const std::vector<Layer>& layers);

}  // namespace heed::config
