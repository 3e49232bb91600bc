// The rank of this process, and the other data that a launcher sets in the environment of a training's processes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heed::distributed {

struct Launch {
  int64_t rank = 0;             ///< from 0
  int64_t ranks = 1;            ///< number of ranks
  std::string address = {};     ///< where the ranks meet: a host's name or address
  int64_t port = 0;             ///< of the meeting place
  bool meets_at_agent = false;  ///< torchrun's agent keeps the meeting place; otherwise rank 0 does
  int64_t attempt = 0;          ///< how often the launcher has restarted the ranks
  std::string launcher = {};    ///< whose variables were used, for messages
  bool operator==(const Launch&) const = default;
};

/// The value of an environment variable; absent if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment process_environment();

/// The launch that the environment describes; absent if it describes one process or none:
///   torchrun, or by hand   RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT
///   Slurm's srun           SLURM_PROCID, SLURM_STEP_NUM_TASKS; the address is that of the step's first node
///   Open MPI, MPICH        OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE; PMI_RANK, PMI_SIZE
/// MASTER_ADDR and MASTER_PORT are used with every launcher if they are set. Without them, the ranks of Open MPI and
/// MPICH meet on this machine. The port then follows from the job's name: SLURM_JOB_ID and SLURM_STEP_ID, or
/// PMIX_NAMESPACE, OMPI_MCA_ess_base_jobid, PMI_JOBID. If the launcher sets none (MPICH's Hydra), it is torchrun's
/// default port 29500. Throws ConfigError naming a variable that is missing or not a number, and if ranks on several
/// machines have no MASTER_ADDR.
std::optional<Launch> launch_of(const Environment& environment);

/// This machine's own name; "unknown" if it has none.
std::string host_name();

/// The first host of a list in Slurm's form: "node03" of "node[03-05,9],other".
std::string first_host(const std::string& list);

}  // namespace heed::distributed
