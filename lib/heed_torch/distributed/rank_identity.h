// Who a rank is: what ranks write into the store where they meet, so that they can name each other and notice ranks of
// another training.
#pragma once

#include <string>

#include "heed_torch/distributed/launch.h"

namespace heed::distributed {

struct RankIdentity {
  std::string name;   ///< for people: "process 4711 on node3"
  std::string ranks;  ///< how many its training has
  std::string model;  ///< the model directory as the option has it
  std::string host;
  std::string path;    ///< the model directory on this host
  std::string number;  ///< random: two containers may have the same host name and process number
  bool operator==(const RankIdentity&) const = default;
};

/// The identity of this process. model: the model directory.
RankIdentity own_identity(const Launch& launch, const std::string& model);

/// As the store keeps it, and back.
std::string to_text(const RankIdentity& identity);
RankIdentity read_identity(const std::string& text);

/// Whether two ranks can be of one training: as many ranks, and the same model directory. On one host a directory has
/// one path; another host may see it elsewhere, and there the option's text must be the same.
bool same_training(const RankIdentity& one, const RankIdentity& other);

}  // namespace heed::distributed
