// Ranks that communicate with LibTorch's c10d: over the network with Gloo, between GPUs with NCCL.
#pragma once

#include <memory>

#include "heed_torch/distributed/distributed_options.h"
#include "heed_torch/distributed/heartbeat.h"
#include "heed_torch/distributed/launch.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/distributed/rendezvous.h"

namespace heed::distributed {

/// Whether this build has Gloo, without which a training has one rank: built with the headers of libgloo-dev.
bool has_gloo();

struct JoinOptions {
  RendezvousOptions meeting = {};   ///< its timeout also applies later: a rank that is silent for longer is lost
  Backend backend = Backend::Auto;  ///< for tensors on a device
};

/// Joins the other ranks of the launch. on_lost: see Heartbeat. Throws as meet(), and Error if this build has no Gloo.
std::shared_ptr<RankGroup> join(const Launch& launch, const JoinOptions& terms, Heartbeat::OnLost on_lost);

}  // namespace heed::distributed
