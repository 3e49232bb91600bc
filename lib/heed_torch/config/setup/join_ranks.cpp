#include "heed_torch/config/setup/join_ranks.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>
#include <string_view>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/checksum.h"
#include "heed_torch/config/device.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/distributed/c10d_ranks.h"
#include "heed_torch/distributed/launch.h"
#include "heed_torch/distributed/nccl_backend.h"

namespace heed::config {
namespace {

/// The lines of a file of settings, by their names on the command line.
std::map<std::string, std::string> lines_by_name(const std::string& text) {
  std::map<std::string, std::string> lines;
  std::string section;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const size_t equals = line.find(" = ");
    if (line.starts_with('[')) section = line.substr(1, line.find(']') - 1) + '.';
    if (equals != std::string::npos) lines[section + line.substr(0, equals)] = line.substr(equals + 3);
  }
  return lines;
}

/// "--seed is 2 there, and 1 on rank 0"; "" if they are the same.
std::string first_difference(const std::string& mine, const std::string& leaders) {
  const auto here = lines_by_name(mine), there = lines_by_name(leaders);
  constexpr std::string_view kNot = "not given";
  const auto value = [&](const auto& lines, const std::string& name) {
    const auto found = lines.find(name);
    return found == lines.end() ? std::string(kNot) : found->second;
  };
  for (const auto* lines : {&here, &there}) {
    for (const auto& entry : *lines) {
      const std::string& name = entry.first;
      if (value(here, name) == value(there, name)) continue;
      return fmt::format("--{} is {} there, and {} on rank 0", name, value(here, name), value(there, name));
    }
  }
  return {};
}

/// A checksum of what this machine computes from fixed numbers: other processors and libraries round differently.
std::string fixed_product() {
  const at::Tensor numbers = at::sin(at::arange(128 * 128, at::kFloat)).view({128, 128});
  const at::Tensor product = at::softmax(at::matmul(numbers, at::tanh(numbers)), -1).contiguous();
  return sha256({static_cast<const char*>(product.const_data_ptr()), product.nbytes()});
}

/// Throws on all ranks the first complaint of any rank.
void settle(distributed::RankGroup& ranks, const std::string& complaint) {
  const auto complaints = ranks.gather(complaint);
  for (size_t rank = 0; rank < complaints.size(); ++rank) {
    if (!complaints[rank].empty())
      throw Error(fmt::format("rank {} cannot train with rank 0: {}", rank, complaints[rank]));
  }
}

}  // namespace

std::shared_ptr<distributed::RankGroup> join_ranks(const RunOptions& options, distributed::Heartbeat::OnLost on_lost) {
  const distributed::DistributedOptions& ranks = options.distributed;
  if (ranks.launcher == distributed::Launcher::None) return distributed::one_rank();
  const auto launch = distributed::launch_of(distributed::process_environment());
  if (!launch) return distributed::one_rank();
  const std::chrono::duration<double> timeout(ranks.timeout_seconds);
  const distributed::RendezvousOptions meeting{
      .timeout = std::chrono::duration_cast<std::chrono::milliseconds>(timeout), .model = options.model};
  return distributed::join(*launch, {.meeting = meeting, .backend = ranks.backend}, std::move(on_lost));
}

MachineRanks ranks_on_this_machine(distributed::RankGroup& ranks) {
  const std::string mine = distributed::host_name();
  const std::vector<std::string> names = ranks.gather(mine);
  return {.index = std::count(names.begin(), names.begin() + ranks.rank(), mine),
          .count = std::ranges::count(names, mine)};
}

at::Device pick_rank_device(const std::string& name, const MachineRanks& place, distributed::Backend backend) {
  const at::Device device = pick_device_for_process(name, place.index);
  if (device.is_cuda() && backend == distributed::Backend::Auto && !distributed::has_nccl()) {
    throw ConfigError("distributed.backend",
                      fmt::format("must be gloo on {}: this heed was built without NCCL's headers", device.str()));
  }
  return device;
}

void require_same(distributed::RankGroup& ranks, const std::string& what, const std::string& mine) {
  const std::string leaders = ranks.broadcast(mine);
  settle(ranks, mine == leaders ? "" : fmt::format("{} is {} there, and {} on rank 0", what, mine, leaders));
}

void require_same_options(distributed::RankGroup& ranks, const RunOptions& options) {
  const std::string mine = format_options(options);
  settle(ranks, first_difference(mine, ranks.broadcast(mine)));
}

void require_same_start(distributed::RankGroup& ranks, const RunOptions& options, int64_t threads) {
  require_same_options(ranks, options);
  require_same(ranks, "the number of threads (--threads)", std::to_string(threads));
  const std::string product = fixed_product();
  settle(ranks, ranks.broadcast(product) == product
                    ? ""
                    : "it computes otherwise: its processor or its libraries are of another kind");
}

}  // namespace heed::config
