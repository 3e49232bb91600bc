#include "heed_torch/distributed/rank_group.h"

#include <gtest/gtest.h>

#include <thread>

#include <torch/torch.h>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "heed_torch/distributed/rank_error.h"
#include "support/message_of.h"
#include "support/rank_threads.h"

namespace heed::distributed {
namespace {

using testing::on_ranks;

TEST(RankGroup, ByItselfHearsItself) {
  const auto rank = one_rank();
  EXPECT_TRUE(rank->leads());
  EXPECT_TRUE(rank->alone());
  EXPECT_EQ(rank->gather("text"), std::vector<std::string>{"text"});
  EXPECT_EQ(rank->broadcast(std::string("text")), "text");
  EXPECT_EQ(rank->add(std::vector<double>{1, 2}), (std::vector<double>{1, 2}));
}

TEST(RankGroup, GathersTextsInOrderOfRanks) {
  on_ranks(3, [](const auto& ranks) {
    const std::string own(static_cast<size_t>(2 * ranks->rank()), static_cast<char>('a' + ranks->rank()));
    EXPECT_EQ(ranks->gather(own), (std::vector<std::string>{"", "bb", "cccc"}));
    EXPECT_EQ(ranks->gather(""), (std::vector<std::string>{"", "", ""}));
  });
}

TEST(RankGroup, TheFirstTellsTheOthers) {
  on_ranks(3, [](const auto& ranks) {
    EXPECT_EQ(ranks->broadcast(std::string(ranks->leads() ? "first" : "")), "first");
    EXPECT_EQ(ranks->broadcast(std::string(ranks->leads() ? "" : "other")), "");
    const Tensor values = torch::full({2, 2}, ranks->rank() + 7, torch::kInt);
    ranks->broadcast(values);
    EXPECT_TRUE(values.eq(7).all().template item<bool>());
  });
}

TEST(RankGroup, AddsWhatAllHave) {
  on_ranks(3, [](const auto& ranks) {
    const auto rank = static_cast<double>(ranks->rank());
    EXPECT_EQ(ranks->add(std::vector<double>{rank, 1, 1e17}), (std::vector<double>{3, 3, 3e17}));
  });
}

TEST(RankGroup, ExchangesStretches) {
  // Rank r sends r + 1 elements of the value 10 r + s to each rank s.
  on_ranks(3, [](const auto& ranks) {
    const int64_t rank = ranks->rank();
    std::vector<Tensor> sent;
    for (int64_t to = 0; to < 3; ++to) sent.push_back(torch::full({rank + 1}, 10 * rank + to, torch::kFloat));
    const Tensor received = torch::zeros({6});
    const std::vector<int64_t> counts(3, rank + 1);
    ranks->exchange(received, torch::cat(sent), {1, 2, 3}, counts)();
    const auto from = [&](int64_t sender) { return static_cast<float>(10 * sender + rank); };
    EXPECT_TRUE(received.equal(torch::tensor({from(0), from(1), from(1), from(2), from(2), from(2)}, torch::kFloat)));
  });
}

TEST(RankGroup, TheFirstFeedsTheOthersBesideWhatAllDoTogether) {
  const std::vector<std::string> blocks{"one", "", std::string((3 << 20) + 5, 'x'), std::string(1 << 20, 'y')};
  on_ranks(3, [&](const auto& ranks) {
    const auto feed = ranks->open_broadcast(), other = ranks->open_broadcast();
    const auto a_minute_passed = [asked = 0]() mutable { return ++asked > 6000; };
    if (ranks->leads()) other->send("of another feed");  // lies there while the first is read
    std::jthread beside([&] {
      for (const std::string& block : blocks) {
        if (ranks->leads())
          feed->send(block);
        else
          EXPECT_EQ(feed->receive(a_minute_passed), block);
      }
    });
    for (int64_t i = 0; i < 20; ++i) EXPECT_EQ(ranks->add(std::vector<double>{1}), std::vector<double>{3});
    beside.join();
    if (ranks->leads()) return;
    EXPECT_EQ(other->receive(a_minute_passed), "of another feed");
    int asked = 0;
    EXPECT_EQ(feed->receive([&] { return ++asked == 3; }), std::nullopt) << "nothing was sent";
  });
}

TEST(RankGroup, StartedAnewFindsNothingOfTheLastAttempt) {
  const auto port = static_cast<uint16_t>(testing::free_port());
  const c10d::TCPStore of_the_agent("127.0.0.1", {.port = port, .isServer = true, .waitWorkers = false});
  Launch launch{.ranks = 2, .address = "127.0.0.1", .port = port, .meets_at_agent = true};
  testing::on_ranks_of(launch, [](const auto& ranks) {
    if (ranks->leads()) ranks->open_broadcast()->send("what nobody read");
  });
  launch.attempt = 1;
  testing::on_ranks_of(launch, [](const auto& ranks) {
    EXPECT_EQ(ranks->add(std::vector<double>{1}), std::vector<double>{2});
    if (ranks->leads()) return;
    int asked = 0;
    EXPECT_EQ(ranks->open_broadcast()->receive([&] { return ++asked == 3; }), std::nullopt);
  });
}

TEST(RankGroup, NamesWhoGaveUp) {
  const int64_t port = testing::free_port();
  const auto join_as = [&](int64_t rank) {
    return join({.rank = rank, .ranks = 2, .address = "127.0.0.1", .port = port}, {}, [](const std::string&) {});
  };
  std::string heard;
  std::thread first([&] {
    const auto ranks = join_as(0);
    heard = testing::message_of<RankError>([&] { ranks->gather(""); });
  });
  {
    const auto ranks = join_as(1);
    ranks->give_up("no memory");
  }
  first.join();
  EXPECT_TRUE(heard.starts_with("rank 1 (process ")) << heard;
  EXPECT_TRUE(heard.ends_with(" ended: no memory")) << heard;
}

}  // namespace
}  // namespace heed::distributed
