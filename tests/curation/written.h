// Files for tests.
#pragma once

#include <string>
#include <string_view>

#include "heed/core/files/atomic_file.h"

namespace heed::curation {

/// Writes a file and gives its path.
inline std::string written(const std::string& path, std::string_view content) {
  write_file(path, content);
  return path;
}

}  // namespace heed::curation
