// The identity of a rank. Ranks write it into the store where they meet, so that they can name each other and notice
// ranks of another training.
#pragma once

#include <string>

#include "heed_torch/distributed/launch.h"

namespace heed::distributed {

struct RankIdentity {
  std::string name;   ///< for messages: "process 4711 on node3"
  std::string ranks;  ///< number of ranks in its training
  std::string model;  ///< the model directory as given in the option
  std::string host;
  std::string path;    ///< the model directory on this host
  std::string number;  ///< random: two containers may have the same host name and process number
  bool operator==(const RankIdentity&) const = default;
};

/// The identity of this process. model: the model directory.
RankIdentity own_identity(const Launch& launch, const std::string& model);

/// Its form in the store, and back.
std::string to_text(const RankIdentity& identity);
RankIdentity read_identity(const std::string& text);

/// Whether two ranks can belong to one training: the same number of ranks, and the same model directory. On one host,
/// the directory must have the same path. On different hosts paths may differ, so the option's text must be the same.
bool same_training(const RankIdentity& one, const RankIdentity& other);

}  // namespace heed::distributed
