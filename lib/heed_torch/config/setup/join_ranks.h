// The start of a training on several ranks that a launcher started: they meet, and refuse to train if they differ.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "heed_torch/config/run_options.h"
#include "heed_torch/distributed/heartbeat.h"
#include "heed_torch/distributed/rank_group.h"

namespace heed::config {

/// Joins the ranks that the environment names (heed_torch/distributed/launch.h). Without any, or if the options say so,
/// this process is the only rank. on_lost: see distributed::Heartbeat. Throws what launch_of and join throw.
std::shared_ptr<distributed::RankGroup> join_ranks(const RunOptions& options, distributed::Heartbeat::OnLost on_lost);

/// The ranks of this rank's machine.
struct MachineRanks {
  int64_t index = 0;  ///< of this rank among them, in their order
  int64_t count = 1;
};
MachineRanks ranks_on_this_machine(distributed::RankGroup& ranks);

/// The device on which this rank computes. `name` is as for pick_device. A GPU without a number means the GPU with the
/// rank's number on its machine, or the only one that the process sees. Throws ConfigError if there are too few, or if
/// the ranks' backend does not support the device.
at::Device pick_rank_device(const std::string& name, const MachineRanks& place, distributed::Backend backend);

/// Throws Error, on all ranks, where one was started with other options than rank 0: says which.
void require_same_options(distributed::RankGroup& ranks, const RunOptions& options);

/// Throws Error, on all ranks, where one was started with other options or another version than rank 0, or computes
/// otherwise: says which and how.
void require_same_start(distributed::RankGroup& ranks, const RunOptions& options, int64_t threads);

/// Throws Error on all ranks if `mine` is not what rank 0 has. `what`: its name in the message.
void require_same(distributed::RankGroup& ranks, const std::string& what, const std::string& mine);

}  // namespace heed::config
