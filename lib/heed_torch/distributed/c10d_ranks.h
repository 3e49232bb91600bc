// Ranks that speak with LibTorch's c10d: over the network with Gloo, between GPUs with NCCL.
#pragma once

#include <memory>

#include "heed_torch/distributed/distributed_options.h"
#include "heed_torch/distributed/launch.h"
#include "heed_torch/distributed/meeting.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/distributed/rank_watch.h"

namespace heed::distributed {

struct JoinTerms {
  MeetingTerms meeting = {};        ///< its timeout holds later too: a rank that is not heard for so long is lost
  Backend backend = Backend::Auto;  ///< of tensors on a device
};

/// Meets the other ranks of the launch. on_lost: see RankWatch. Throws Error where this build has no Gloo, and what
/// meet() does.
std::shared_ptr<RankGroup> join(const Launch& launch, const JoinTerms& terms, RankWatch::OnLost on_lost);

}  // namespace heed::distributed
