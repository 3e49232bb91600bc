// What a killed process or a failed write left of files that were being replaced in a model directory.
#pragma once

#include <string>

#include "heed/model_directory/manifest.h"

namespace heed::checkpoint {

/// Enters those pending files that have taken their places, removes those that were being removed, and writes the
/// manifest without pending files. Does nothing where none is pending. Only the holder of the directory's lock may call
/// it. Throws FileError.
void settle(const std::string& directory, Manifest& manifest);

}  // namespace heed::checkpoint
