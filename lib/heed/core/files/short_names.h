// Names of files for people.
#pragma once

#include <string>
#include <vector>

namespace heed {

/// The paths' last components, with as many of their folders as needed to distinguish them; of a path that ends in a
/// slash or a dot, those of the directory that it means. The paths as they are if they are not distinct.
std::vector<std::string> short_names(const std::vector<std::string>& paths);

}  // namespace heed
