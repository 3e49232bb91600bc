// What other toolkits call options that heed has under another name, for whoever types it from habit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::config {

/// The options of heed that `name` may stand for, the likeliest first, whether or not a command has them; empty where
/// it is no name of a peer.
std::vector<std::string> names_of_peers(std::string_view name);
/// Whether peers name by it the files that stand alone behind the options of `heed evaluate`.
bool names_translations(std::string_view name);

}  // namespace heed::config
