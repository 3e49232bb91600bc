// Cleans up after a killed process or a failed write that was replacing files in a model directory.
#pragma once

#include <string>

#include "heed/model_directory/manifest.h"

namespace heed::checkpoint {

/// Lists pending files that were replaced, deletes those that were being removed, and writes the manifest without
/// pending files. Does nothing if no file is pending. The caller must hold the directory's lock. Throws FileError.
void settle(const std::string& directory, Manifest& manifest);

}  // namespace heed::checkpoint
