#include "heed_torch/distributed/launch.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/parsed_number.h"

namespace heed::distributed {
namespace {

/// The variables in which a launcher says which process this is, and how many there are. "": the launcher has none.
struct Names {
  std::string_view launcher, rank, ranks;
  std::string_view local_ranks = {};         ///< ranks on this machine
  std::array<std::string_view, 2> job = {};  ///< the first that is set names the job
};
constexpr std::array kLaunchers{
    Names{.launcher = "torchrun", .rank = "RANK", .ranks = "WORLD_SIZE"},
    Names{.launcher = "Slurm", .rank = "SLURM_PROCID", .ranks = "SLURM_STEP_NUM_TASKS"},
    Names{.launcher = "Open MPI",
          .rank = "OMPI_COMM_WORLD_RANK",
          .ranks = "OMPI_COMM_WORLD_SIZE",
          .local_ranks = "OMPI_COMM_WORLD_LOCAL_SIZE",
          .job = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"}},
    Names{.launcher = "MPICH",
          .rank = "PMI_RANK",
          .ranks = "PMI_SIZE",
          .local_ranks = "MPI_LOCALNRANKS",
          .job = {"PMIX_NAMESPACE", "PMI_JOBID"}},
};

constexpr int64_t kUsualPort = 29500;  // torchrun's default

int64_t number_within(std::string_view name, const std::string& value, int64_t lowest, int64_t highest) {
  const auto number = parsed_number<int64_t>(value);
  if (number && *number >= lowest && *number <= highest) return *number;
  throw ConfigError(fmt::format("the environment variable {} must be a whole number from {} to {}, but is `{}`", name,
                                lowest, highest, value));
}

std::string needed(const Environment& environment, const Names& names, std::string_view variable) {
  if (const auto value = environment(std::string(variable))) return *value;
  throw ConfigError(fmt::format("{} names {} ranks ({}), but the environment variable {} is not set", names.launcher,
                                *environment(std::string(names.ranks)), names.ranks, variable));
}

/// The launcher's name for this job, unique on a machine; "" if it has none.
std::string job_of(const Environment& environment, const Names& names) {
  if (names.launcher == "Slurm") {
    return needed(environment, names, "SLURM_JOB_ID") + "." + environment("SLURM_STEP_ID").value_or("");
  }
  for (const std::string_view variable : names.job) {
    if (const auto job = environment(std::string(variable))) return *job;
  }
  return {};
}

/// A port for each job, so that jobs on one machine do not meet each other. It is FNV-1a of the job's name, below the
/// ports that Linux gives to connections (32768 and up). Two jobs on a machine share a port in 1 of 10,000 cases; the
/// ranks notice this when they meet (rendezvous.h).
int64_t port_of_job(const std::string& job) {
  constexpr uint64_t kFirst = 20'000, kPorts = 10'000, kBasis = 0xcbf29ce484222325, kPrime = 0x100000001b3;
  uint64_t hash = kBasis;
  for (const char c : job) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return static_cast<int64_t>(kFirst + hash % kPorts);
}

/// This machine is the meeting place only if all ranks are on it.
std::string own_machine(const Environment& environment, const Names& names, int64_t ranks) {
  const auto here = environment(std::string(names.local_ranks));
  if (here && number_within(names.local_ranks, *here, 1, ranks) < ranks) {
    throw ConfigError(
        fmt::format("{} started {} ranks, {} of them on this machine ({}): set the environment variable "
                    "MASTER_ADDR to the host of rank 0",
                    names.launcher, ranks, *here, names.local_ranks));
  }
  return "127.0.0.1";
}

std::string usual_address(const Environment& environment, const Names& names, int64_t ranks) {
  if (names.launcher == "Slurm") return first_host(needed(environment, names, "SLURM_STEP_NODELIST"));
  if (names.launcher == "torchrun") return needed(environment, names, "MASTER_ADDR");
  return own_machine(environment, names, ranks);
}

int64_t usual_port(const Environment& environment, const Names& names) {
  if (names.launcher == "torchrun") static_cast<void>(needed(environment, names, "MASTER_PORT"));
  const std::string job = job_of(environment, names);
  return job.empty() ? kUsualPort : port_of_job(job);
}

Launch read(const Environment& environment, const Names& names, int64_t ranks) {
  constexpr int64_t kMostPorts = 65535;
  Launch launch{.ranks = ranks, .launcher = std::string(names.launcher)};
  launch.rank = number_within(names.rank, needed(environment, names, names.rank), 0, ranks - 1);
  const auto address = environment("MASTER_ADDR");
  const auto port = environment("MASTER_PORT");
  launch.address = address ? *address : usual_address(environment, names, ranks);
  launch.port = port ? number_within("MASTER_PORT", *port, 1, kMostPorts) : usual_port(environment, names);
  launch.meets_at_agent = environment("TORCHELASTIC_USE_AGENT_STORE") == "True";
  if (const auto attempt = environment("TORCHELASTIC_RESTART_COUNT")) {
    launch.attempt = number_within("TORCHELASTIC_RESTART_COUNT", *attempt, 0, INT64_MAX);
  }
  return launch;
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
  };
}

std::optional<Launch> launch_of(const Environment& environment) {
  constexpr int64_t kMostRanks = 100'000;
  for (const Names& names : kLaunchers) {
    const auto ranks = environment(std::string(names.ranks));
    if (!ranks || !environment(std::string(names.rank))) continue;
    const int64_t count = number_within(names.ranks, *ranks, 1, kMostRanks);
    if (count > 1) return read(environment, names, count);
  }
  return std::nullopt;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string first_host(const std::string& list) {
  const size_t bracket = list.find('[');
  const size_t comma = list.find(',');
  if (bracket == std::string::npos || comma < bracket) return list.substr(0, comma);
  const size_t end = list.find_first_of("-,]", bracket);
  const size_t closing = list.find(']', bracket);
  if (closing == std::string::npos) return list.substr(0, bracket);
  const std::string behind = list.substr(closing + 1, list.find(',', closing) - closing - 1);
  return list.substr(0, bracket) + list.substr(bracket + 1, end - bracket - 1) + behind;
}

}  // namespace heed::distributed
