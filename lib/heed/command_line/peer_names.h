// What other toolkits call options that heed has under another name, for whoever types it from habit.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::config {

struct PeerName {
  std::string_view theirs;
  std::string_view ours;
};
/// All of them: a name of theirs may stand for several of ours.
std::span<const PeerName> all_peer_names();

/// The options of heed that `name` may stand for, the likeliest first, whether or not a command has them; empty where
/// it is no name of a peer.
std::vector<std::string> names_of_peers(std::string_view name);
/// Whether peers name by it the files that stand alone behind the options of `heed evaluate`.
bool names_translations(std::string_view name);

}  // namespace heed::config
