// Expands patterns and lists to file names.
#pragma once

#include <string>
#include <vector>

namespace heed {

/// The files of all entries, in order. An entry is a path, a shell pattern (* ? [...]) or `@LIST`. The matches of a
/// pattern are sorted by bytes. The file LIST has one path or pattern per line, relative to its folder. Throws
/// ConfigError, about `option`, if a pattern matches nothing or a list is empty; FileError if a list does not exist.
std::vector<std::string> expand_paths(const std::vector<std::string>& entries, const std::string& option);

}  // namespace heed
