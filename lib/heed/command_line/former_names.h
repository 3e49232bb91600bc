// What options were called in earlier versions. Model directories, configuration files and scripts of theirs are still
// read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::config {

struct FormerName {
  std::string_view former;
  std::string_view present;
};
/// All of them.
std::span<const FormerName> all_former_names();

/// What the option is called now; `name` itself where it never had another.
std::string_view present_name(std::string_view name);
/// What the option was called before, if it was.
std::vector<std::string_view> former_names(std::string_view present);

}  // namespace heed::config
