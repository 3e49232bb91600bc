#include "heed_torch/distributed/rendezvous.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

#include "heed/core/log.h"
#include "heed_torch/distributed/rank_error.h"
#include "support/free_port.h"

namespace heed::distributed {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class MeetingOfRanks : public ::testing::Test {
 protected:
  MeetingOfRanks() {
    set_log_sink([this](LogLevel, std::string_view message) { warnings.emplace_back(message); });
  }
  ~MeetingOfRanks() override { set_log_sink({}); }

  Launch launch(int64_t rank, int64_t ranks) const {
    return {.rank = rank, .ranks = ranks, .address = "127.0.0.1", .port = port};
  }
  RendezvousOptions terms(const std::string& model = "m") const {
    return {.timeout = timeout, .report = report, .model = model};
  }
  /// The error of a rank; "": it meets the others. A rank that has met stays until the end of the test.
  std::string error_of(const Launch& rank, const std::string& model = "m") {
    std::optional<Met> met;
    const auto message = [&]() -> std::string {
      try {
        met = meet(rank, terms(model));
        return "";
      } catch (const RankError& error) {
        return error.what();
      }
    }();
    const std::lock_guard lock(mutex);
    if (met) meetings.push_back(*met);
    return message;
  }
  std::future<std::string> start(int64_t rank, int64_t ranks, const std::string& model = "m") {
    return std::async(std::launch::async, [this, rank, ranks, model] { return error_of(launch(rank, ranks), model); });
  }
  std::string place() const { return "127.0.0.1:" + std::to_string(port); }

  int64_t port = testing::free_port();
  // On a busy machine a second may go by between two lines: what comes "at once" has half of this.
  std::chrono::milliseconds timeout = 60s, report = 30s;
  std::vector<std::string> warnings;
  std::mutex mutex;
  std::vector<Met> meetings;
};

TEST_F(MeetingOfRanks, TellsThemEachOthersNames) {
  auto first = start(0, 2), second = start(1, 2);
  EXPECT_EQ(first.get(), "");
  EXPECT_EQ(second.get(), "");
  ASSERT_EQ(meetings.size(), 2u);
  for (const Met& met : meetings) {
    ASSERT_EQ(met.names.size(), 2u);
    EXPECT_TRUE(met.names[1].starts_with("rank 1 (process ")) << met.names[1];
  }
  EXPECT_TRUE(warnings.empty());
}

TEST_F(MeetingOfRanks, NamesAllThatAreMissingAtIntervalsAndAtTheEnd) {
  timeout = 4s;
  report = 400ms;
  auto third = start(2, 4);
  EXPECT_EQ(error_of(launch(0, 4)),
            "ranks 1 and 3 of 4 did not reach " + place() + " within 4 s (--distributed.timeout-seconds)");
  EXPECT_NE(third.get(), "");
  const auto named = [&](const std::string& warning) {
    return warning.starts_with("waiting for ranks 1 and 3 of 4 at " + place() + ": ") &&
           warning.ends_with(" s of 4 s (--distributed.timeout-seconds)");
  };
  EXPECT_GE(std::ranges::count_if(warnings, named), 2) << "by the lowest rank that is there";
  EXPECT_LE(std::ranges::count_if(warnings, named), timeout / report) << "and by nobody else";
}

TEST_F(MeetingOfRanks, NamesTheFirstRankThatIsMissing) {
  timeout = 5s;
  report = 500ms;
  const auto begin = Clock::now();
  EXPECT_EQ(error_of(launch(1, 2)),
            "rank 0 of 2 did not reach " + place() + " within 5 s (--distributed.timeout-seconds)");
  EXPECT_LT(Clock::now() - begin, 60s) << "c10d itself would wait for minutes";
  ASSERT_GE(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("waiting for rank 0 of 2 at " + place())) << warnings[0];
}

TEST_F(MeetingOfRanks, WaitsForARankThatComesLater) {
  report = 300ms;
  auto second = start(1, 2);
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(error_of(launch(0, 2)), "");
  EXPECT_EQ(second.get(), "");
}

TEST_F(MeetingOfRanks, RefusesAHostThatDoesNotResolveAtOnce) {
  Launch elsewhere = launch(1, 2);
  elsewhere.address = "no-such-host.invalid";
  const std::string error = error_of(elsewhere);
  EXPECT_TRUE(error.starts_with("rank 1 of 2 cannot find the host `no-such-host.invalid` (MASTER_ADDR)")) << error;
}

TEST_F(MeetingOfRanks, RefusesAnotherTrainingAtOnceAndMeetsItsOwn) {
  auto first = start(0, 2, "a");
  const auto begin = Clock::now();
  const std::string error = error_of(launch(1, 2), "b");
  EXPECT_LT(Clock::now() - begin, timeout / 2);
  EXPECT_NE(error.find("rank 1 came to another training at " + place() + ": process "), std::string::npos) << error;
  EXPECT_NE(error.find(std::filesystem::absolute("a").string() + " on 2 ranks"), std::string::npos) << error;
  EXPECT_TRUE(error.ends_with("; give each training a MASTER_PORT of its own")) << error;
  EXPECT_NE(error_of(launch(1, 3), "a"), "") << "it has 3 ranks";
  EXPECT_EQ(error_of(launch(1, 2), "a"), "");
  EXPECT_EQ(first.get(), "");
}

TEST_F(MeetingOfRanks, RefusesARankThatIsThereAlready) {
  auto first = start(0, 2), second = start(1, 2);
  EXPECT_EQ(first.get() + second.get(), "");
  const std::string error = error_of(launch(1, 2));
  EXPECT_TRUE(error.starts_with("another rank 1 of 2 is at " + place() + " already, process ")) << error;
  EXPECT_TRUE(error.ends_with("; give each training a MASTER_PORT of its own")) << error;
}

TEST_F(MeetingOfRanks, RefusesAPortThatIsTaken) {
  auto first = start(0, 2, "a"), second = start(1, 2, "a");
  EXPECT_EQ(first.get() + second.get(), "");
  const std::string error = error_of(launch(0, 2), "b");
  EXPECT_EQ(error, "rank 0 of 2 cannot let the others meet at " + place() +
                       " (MASTER_ADDR and MASTER_PORT): address already in use; where another training meets there, "
                       "give each training a MASTER_PORT of its own");
}

TEST(SameTraining, HasTheSameDirectoryOnAHostAndTheSameOptionElsewhere) {
  const RankIdentity here = own_identity({.ranks = 2}, "models/a");
  EXPECT_EQ(read_identity(to_text(here)), here);
  EXPECT_TRUE(same_training(here, own_identity({.ranks = 2}, "models/../models/a")));
  EXPECT_FALSE(same_training(here, own_identity({.ranks = 2}, "models/b")));
  EXPECT_FALSE(same_training(here, own_identity({.ranks = 3}, "models/a")));
  RankIdentity elsewhere = here;
  elsewhere.host = "another";
  elsewhere.path = "/mnt/models/a";
  EXPECT_TRUE(same_training(here, elsewhere));
  elsewhere.model = "models/b";
  EXPECT_FALSE(same_training(here, elsewhere));
}

}  // namespace
}  // namespace heed::distributed
