#include "heed/distributed/launch.h"

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
                       {"SLURM_JOB_ID", "1234567"}};

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

TEST(Launch, IsAsSlurmSays) {
  EXPECT_EQ(launch(kSlurm), (Launch{.rank = 5, .ranks = 8, .address = "gpu07", .port = 24567, .launcher = "Slurm"}));
  EXPECT_EQ(launch(with(kSlurm, "MASTER_PORT", "99"))->port, 99);
}

TEST(Launch, IsAsMpiSays) {
  EXPECT_EQ(launch({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}),
            (Launch{.rank = 1, .ranks = 2, .address = "127.0.0.1", .port = 29500, .launcher = "Open MPI"}));
  EXPECT_EQ(launch({{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}, {"MASTER_ADDR", "a"}})->address, "a");
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
