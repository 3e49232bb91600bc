// The start of a training on several ranks: they meet at a store of c10d, which rank 0 or torchrun's agent keeps. There
// they exchange their names, report missing ranks, and refuse ranks of another training.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <c10/util/intrusive_ptr.h>
#include <netdb.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "heed_torch/distributed/launch.h"

namespace heed::distributed {

/// Ranks write it into the store, so that they can name each other and notice ranks of another training.
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

using Store = c10::intrusive_ptr<c10d::Store>;

struct RendezvousOptions {
  std::chrono::milliseconds timeout{60'000};  ///< a rank that does not come within this time ends the others
  std::chrono::milliseconds report{10'000};   ///< interval of the warnings that name the missing ranks
  std::string model = {};                     ///< the model directory: differs between trainings that meet by mistake
};

/// What the ranks know of each other once all of them have come.
struct Met {
  Store store;
  std::vector<std::string> names;  ///< of all ranks, for messages: "rank 1 (process 4711 on node3)"
};

/// Throws RankError at once if the address does not resolve, if the port is taken, or if another training or another
/// process with this rank is there. Throws RankError after the timeout, naming all missing ranks.
Met meet(const Launch& launch, const RendezvousOptions& terms);

/// Another connection to the store, after meet().
Store connect_again(const Launch& launch, std::chrono::milliseconds timeout);

/// Whether this rank keeps the store, which then ends with it.
bool keeps_store(const Launch& launch);
/// For messages: "node1:29500 (of rank 0)".
std::string kept_meeting_place(const Launch& launch);

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;
/// The addresses of the meeting place. Throws RankError if its name does not resolve.
Addresses resolve(const Launch& launch);

}  // namespace heed::distributed
