// Files named by patterns and lists.
#pragma once

#include <string>
#include <vector>

namespace heed {

/// Each entry's files, in the order of the entries: a path as it is; the files that a pattern of the shell (* ? [...])
/// matches, by name in the order of their bytes; of `@LIST` those that the file LIST has, a path or pattern a line,
/// relative to its folder. Throws ConfigError, about `option`, where a pattern matches nothing or a list is empty;
/// FileError where there is no such list.
std::vector<std::string> expand_paths(const std::vector<std::string>& entries, const std::string& option);

}  // namespace heed
