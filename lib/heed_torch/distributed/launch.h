// Where a process stands among those that a launcher started for one training.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heed::distributed {

struct Launch {
  int64_t rank = 0;             ///< from 0
  int64_t ranks = 1;            ///< in all
  std::string address = {};     ///< where the ranks meet: a host's name or address
  int64_t port = 0;             ///< and its port
  bool meets_at_agent = false;  ///< torchrun's agent keeps the meeting place; else rank 0 does
  int64_t attempt = 0;          ///< how often the launcher has started the ranks anew
  std::string launcher = {};    ///< whose variables said so, for people
  bool operator==(const Launch&) const = default;
};

/// The value of an environment variable, absent where it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment process_environment();

/// What the environment says, absent where it names one process or none:
///   torchrun, or by hand   RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT
///   Slurm's srun           SLURM_PROCID, SLURM_STEP_NUM_TASKS; the address is that of the step's first node
///   Open MPI, MPICH        OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE; PMI_RANK, PMI_SIZE
/// MASTER_ADDR and MASTER_PORT are taken from whoever sets them. Without them Open MPI's and MPICH's ranks meet on this
/// machine, at a port that follows from the job's name: SLURM_JOB_ID and SLURM_STEP_ID, or PMIX_NAMESPACE,
/// OMPI_MCA_ess_base_jobid, PMI_JOBID. Where the launcher sets none (MPICH's Hydra), it is torchrun's usual port 29500.
/// Throws ConfigError naming the variable that is missing or no number, and where ranks on several machines have no
/// MASTER_ADDR.
std::optional<Launch> launch_of(const Environment& environment);

/// This machine's own name; "unknown" where it has none.
std::string host_name();

/// The first host of a list in Slurm's form: "node03" of "node[03-05,9],other".
std::string first_host(const std::string& list);

}  // namespace heed::distributed
