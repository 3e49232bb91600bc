// The options that a resumed training keeps from its own directory.
#pragma once

#include <vector>

#include "heed/command_line/settings.h"

namespace heed::config {

/// The saved settings of the training that `layers` resume. They are a layer between the preset and all others: an
/// option that the user does not name keeps its value, even if this version of heed has another default.
///
/// Empty if nothing is resumed: `layers` name no `model`, or one without checkpoints. If they name no text, the saved
/// settings are also used before the first checkpoint. Text that is named replaces the saved text: `pairs` replaces
/// both sides, and a side replaces `pairs`. Throws ConfigError, FileError.
Layer resumed_settings(const std::vector<Layer>& layers);

}  // namespace heed::config
