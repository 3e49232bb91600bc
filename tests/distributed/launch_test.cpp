#include "heed_torch/distributed/launch.h"

#include <gtest/gtest.h>

#include <map>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::distributed {
namespace {

using Variables = std::map<std::string, std::string>;

std::optional<Launch> launch(const Variables& variables) {
  return launch_of([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

const Variables kTorchrun{{"RANK", "2"},
                          {"WORLD_SIZE", "4"},
                          {"MASTER_ADDR", "node1"},
                          {"MASTER_PORT", "1234"},
                          {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                          {"TORCHELASTIC_RESTART_COUNT", "3"}};
const Variables kSlurm{{"SLURM_PROCID", "5"},
                       {"SLURM_STEP_NUM_TASKS", "8"},
                       {"SLURM_STEP_NODELIST", "gpu[07-09],other"},
                       {"SLURM_JOB_ID", "1234567"},
                       {"SLURM_STEP_ID", "0"}};
const Variables kOpenMpi{{"OMPI_COMM_WORLD_RANK", "1"},
                         {"OMPI_COMM_WORLD_SIZE", "2"},
                         {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                         {"PMIX_NAMESPACE", "1159462913"},
                         {"OMPI_MCA_ess_base_jobid", "1159462913"}};
const Variables kHydra{{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}, {"MPI_LOCALNRANKS", "3"}, {"PMI_FD", "6"}};

Variables with(Variables variables, const std::string& name, const std::string& value) {
  variables[name] = value;
  return variables;
}
Variables without(Variables variables, const std::string& name) {
  variables.erase(name);
  return variables;
}

TEST(Launch, IsOneProcessWhereNobodySaysMore) {
  EXPECT_FALSE(launch({}));
  EXPECT_FALSE(launch({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
  EXPECT_FALSE(launch({{"RANK", "3"}}));                                 // some clusters name it for other reasons
  EXPECT_FALSE(launch({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}));  // a batch script is no step
}

TEST(Launch, IsAsTorchrunSays) {
  EXPECT_EQ(launch(kTorchrun), (Launch{.rank = 2,
                                       .ranks = 4,
                                       .address = "node1",
                                       .port = 1234,
                                       .meets_at_agent = true,
                                       .attempt = 3,
                                       .launcher = "torchrun"}));
  const auto by_hand = without(without(kTorchrun, "TORCHELASTIC_USE_AGENT_STORE"), "TORCHELASTIC_RESTART_COUNT");
  EXPECT_EQ(launch(by_hand), (Launch{.rank = 2, .ranks = 4, .address = "node1", .port = 1234, .launcher = "torchrun"}));
}

/// Of the ports that the launch may choose by itself.
void expect_port_of_job(int64_t port) {
  EXPECT_GE(port, 20000);
  EXPECT_LT(port, 30000);
}

TEST(Launch, IsAsSlurmSays) {
  const auto slurm = launch(kSlurm);
  EXPECT_EQ(slurm, (Launch{.rank = 5, .ranks = 8, .address = "gpu07", .port = slurm->port, .launcher = "Slurm"}));
  expect_port_of_job(slurm->port);
  EXPECT_EQ(launch(with(kSlurm, "MASTER_PORT", "99"))->port, 99);
}

TEST(Launch, IsAsMpiSays) {
  const auto open_mpi = launch(kOpenMpi);
  EXPECT_EQ(open_mpi,
            (Launch{.rank = 1, .ranks = 2, .address = "127.0.0.1", .port = open_mpi->port, .launcher = "Open MPI"}));
  expect_port_of_job(open_mpi->port);
  EXPECT_EQ(launch(kHydra),
            (Launch{.rank = 0, .ranks = 3, .address = "127.0.0.1", .port = 29500, .launcher = "MPICH"}));
  EXPECT_EQ(launch(with(kHydra, "MASTER_ADDR", "a"))->address, "a");
  EXPECT_EQ(launch(with(kOpenMpi, "MASTER_PORT", "99"))->port, 99);
}

TEST(Launch, HasAPortForEachJobAndStep) {
  const auto port = [](const Variables& variables) { return launch(variables)->port; };
  EXPECT_NE(port(kSlurm), port(with(kSlurm, "SLURM_STEP_ID", "1"))) << "two steps of one job";
  EXPECT_NE(port(kSlurm), port(with(kSlurm, "SLURM_JOB_ID", "1234568")));
  EXPECT_EQ(port(kSlurm), port(with(kSlurm, "SLURM_PROCID", "0"))) << "two ranks of one step";
  EXPECT_NE(port(kOpenMpi), port(with(kOpenMpi, "PMIX_NAMESPACE", "1159462914"))) << "two runs of mpirun";
  EXPECT_EQ(port(kOpenMpi), port(with(kOpenMpi, "OMPI_COMM_WORLD_RANK", "0")));
  const Variables older = without(kOpenMpi, "PMIX_NAMESPACE");
  EXPECT_NE(port(older), port(with(older, "OMPI_MCA_ess_base_jobid", "1159528449")));
  EXPECT_NE(port(with(kHydra, "PMI_JOBID", "7.0")), port(with(kHydra, "PMI_JOBID", "7.1")));
  for (int64_t job = 0; job < 1000; ++job) expect_port_of_job(port(with(kSlurm, "SLURM_JOB_ID", std::to_string(job))));
}

TEST(Launch, NamesTheVariableThatIsMissingOrWrong) {
  const auto message = [](const Variables& variables) {
    return testing::message_of<ConfigError>([&] { launch(variables); });
  };
  EXPECT_EQ(message(without(kTorchrun, "MASTER_PORT")),
            "torchrun names 4 ranks (WORLD_SIZE), but the environment variable MASTER_PORT is not set");
  EXPECT_EQ(message(with(kTorchrun, "RANK", "4")),
            "the environment variable RANK must be a whole number from 0 to 3, but is `4`");
  EXPECT_EQ(message(with(kTorchrun, "MASTER_PORT", "http")),
            "the environment variable MASTER_PORT must be a whole number from 1 to 65535, but is `http`");
  EXPECT_EQ(message(with(kOpenMpi, "OMPI_COMM_WORLD_LOCAL_SIZE", "1")),
            "Open MPI started 2 ranks, 1 of them on this machine (OMPI_COMM_WORLD_LOCAL_SIZE): set the environment "
            "variable MASTER_ADDR to the host of rank 0");
  EXPECT_TRUE(launch(with(with(kOpenMpi, "OMPI_COMM_WORLD_LOCAL_SIZE", "1"), "MASTER_ADDR", "node1")));
}

TEST(FirstHost, OfSlurmsLists) {
  EXPECT_EQ(first_host("node1"), "node1");
  EXPECT_EQ(first_host("node1,node2"), "node1");
  EXPECT_EQ(first_host("node[03-05,9],other"), "node03");
  EXPECT_EQ(first_host("node[7]"), "node7");
  EXPECT_EQ(first_host("a,node[7]"), "a");
  EXPECT_EQ(first_host("rack[1-2]-node,x"), "rack1-node");
}

}  // namespace
}  // namespace heed::distributed
