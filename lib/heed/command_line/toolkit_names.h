// Maps option names of other toolkits to heed's, for suggestions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::config {

struct PeerName {
  std::string_view theirs;
  std::string_view ours;
  double unit = 0;  ///< how much of our option one of theirs is; 0: the values are not numbers in another unit
};
/// All names; one of theirs may correspond to several of ours.
std::span<const PeerName> all_peer_names();

/// The options of heed that `name` may mean, most probable first, including options that a command does not have. Empty
/// if no other toolkit has that name.
std::vector<std::string> names_of_peers(std::string_view name);
/// The value of our option `ours` that `value` of their option `theirs` means. Empty unless the units differ.
std::string value_of_peer(std::string_view theirs, std::string_view ours, const std::string& value);
/// Whether other toolkits use the name for the files that `heed evaluate` takes as positional arguments.
bool names_translations(std::string_view name);

}  // namespace heed::config
