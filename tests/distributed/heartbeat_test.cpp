#include "heed_torch/distributed/heartbeat.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "heed_torch/distributed/rank_error.h"
#include "support/message_of.h"

namespace heed::distributed {
namespace {

using namespace std::chrono_literals;

class Watching : public ::testing::Test {
 protected:
  HeartbeatOptions terms(int64_t rank) const {
    return {.rank = rank,
            .names = {"rank 0 (here)", "rank 1 (there)"},
            .timeout = timeout,
            .meeting_place = "store",
            .keeps_store = rank == keeper};
  }
  std::unique_ptr<Heartbeat> watch(int64_t rank, Heartbeat::OnLost on_lost = [](const std::string&) {}) {
    return std::make_unique<Heartbeat>(store, terms(rank), std::move(on_lost));
  }
  /// Both watches, which wait for each other.
  void begin(Heartbeat::OnLost on_lost = [](const std::string&) {}) {
    std::thread other([&] { second = watch(1); });
    first = watch(0, std::move(on_lost));
    other.join();
  }

  std::chrono::milliseconds timeout = 400ms;
  int64_t keeper = -1;
  c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::HashStore>();
  std::unique_ptr<Heartbeat> first, second;
};

TEST_F(Watching, HearsNothingOfRanksThatLive) {
  std::atomic<int> lost = 0;
  begin([&](const std::string&) { ++lost; });
  std::this_thread::sleep_for(3 * timeout);
  EXPECT_EQ(lost, 0);
}

TEST_F(Watching, NamesTheSilentRank) {
  std::atomic<bool> told = false;
  std::string heard;
  begin([&](const std::string& lost) {
    heard = lost;
    told = true;
  });
  second.reset();
  for (int i = 0; i < 100 && !told; ++i) std::this_thread::sleep_for(timeout / 10);
  ASSERT_TRUE(told);
  EXPECT_EQ(heard, "rank 1 (there) is lost: nothing was heard of it for 0 s");
}

TEST_F(Watching, FindsWhoseFaultABrokenConnectionIs) {
  timeout = 4s;
  begin();
  second.reset();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(first->find_fault("connection closed"), "rank 1 (there) is lost: nothing was heard of it for 2 s");
  EXPECT_LT(std::chrono::steady_clock::now() - start, timeout);
}

TEST_F(Watching, PassesOnWhyARankEnds) {
  begin();
  second->give_up("the disk is full");
  EXPECT_EQ(first->find_fault("connection closed"), "rank 1 (there) ended: the disk is full");
}

TEST_F(Watching, OutlivesWhatItSaysWhereItKeepsTheStore) {
  timeout = 4s;
  keeper = 1;
  begin();
  const auto start = std::chrono::steady_clock::now();
  second->give_up("the disk is full");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1s) << "the other one has heard";
  store->deleteKey("beat/1");  // as if the store were gone
  EXPECT_EQ(first->find_fault("connection closed"), "rank 1 (there) ended: the disk is full");
}

TEST_F(Watching, WaitsForNobodyWhoEndsAsWell) {
  timeout = 40s;
  keeper = 1;
  begin();
  const auto start = std::chrono::steady_clock::now();
  std::thread other([&] {
    first->give_up("other options");
    first.reset();
  });
  second->give_up("other options");
  other.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);
}

TEST_F(Watching, NamesTheRankThatDoesNotBegin) {
  EXPECT_EQ(testing::message_of<RankError>([&] { watch(0); }), "rank 1 (there) did not begin with the others");
}

}  // namespace
}  // namespace heed::distributed
