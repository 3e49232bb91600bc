// The start of a training on the ranks that a launcher started: they meet, and refuse to train where they differ.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "heed_torch/config/run_options.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/distributed/rank_watch.h"

namespace heed::config {

/// The ranks that the environment names (heed_torch/distributed/launch.h); this process by itself where it names none,
/// or the options say so. on_lost: see distributed::RankWatch. Throws what launch_of and join do.
std::shared_ptr<distributed::RankGroup> join_ranks(const RunOptions& options, distributed::RankWatch::OnLost on_lost);

/// The ranks of this rank's machine.
struct MachineRanks {
  int64_t index = 0;  ///< of this one among them, in their order
  int64_t count = 1;
};
MachineRanks ranks_on_this_machine(distributed::RankGroup& ranks);

/// The device on which this rank computes: `name` as pick_device has it, where a GPU without a number stands for one of
/// each rank's own, in their order, or the only one that the process sees. Throws ConfigError where there are too few,
/// or the ranks' backend does not reach it.
at::Device pick_rank_device(const std::string& name, const MachineRanks& place, distributed::Backend backend);

/// Throws Error, on all ranks, where one was started with other options than rank 0: says which.
void require_same_options(distributed::RankGroup& ranks, const RunOptions& options);

/// Throws Error, on all ranks, where one was started with other options or another version than rank 0, or computes
/// otherwise: says which and how.
void require_same_start(distributed::RankGroup& ranks, const RunOptions& options, int64_t threads);

/// Throws Error on all ranks where `mine` is not what rank 0 has. `what` it is, for people.
void require_same(distributed::RankGroup& ranks, const std::string& what, const std::string& mine);

}  // namespace heed::config
