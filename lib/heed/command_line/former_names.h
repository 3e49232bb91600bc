// Names of options in earlier versions, so that older model directories, configuration files and scripts still work.
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
/// All former names.
std::span<const FormerName> all_former_names();

/// The present name of the option; `name` itself if it was never renamed.
std::string_view present_name(std::string_view name);
/// The former names of the option, if any.
std::vector<std::string_view> former_names(std::string_view present);

/// An error that names an option by its present name, with the former name that the user typed: "...; `--data.mix` is
/// now `--data.corpus-weights`". arguments: of the command line.
std::string with_typed_names(std::string message, std::span<const std::string> arguments);

}  // namespace heed::config
