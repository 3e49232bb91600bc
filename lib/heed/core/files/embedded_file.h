// Files that are part of the programs: pages and their scripts. cmake/embed.cmake makes the definition from them.
#pragma once

#include <string_view>

namespace heed {

/// The text of an embedded file. path: below lib/heed, such as "serve/openapi.json".
/// Throws std::logic_error if the programs have no such file.
std::string_view embedded_file(std::string_view path);

}  // namespace heed
