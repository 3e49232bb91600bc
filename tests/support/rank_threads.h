// Ranks that are threads of the test, and speak over the loopback as processes do.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "heed_torch/distributed/c10d_ranks.h"
#include "support/free_port.h"

namespace heed::testing {

/// Calls work for each rank of a launch at the same time; all leave at its end. launch.rank: of no meaning.
inline void on_ranks_of(const distributed::Launch& launch,
                        const std::function<void(std::shared_ptr<distributed::RankGroup>)>& work,
                        distributed::Backend backend = distributed::Backend::Auto) {
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < launch.ranks; ++rank) {
    threads.emplace_back([&, own = launch, rank]() mutable {
      try {
        own.rank = rank;
        const auto group =
            distributed::join(own, {.backend = backend}, [](const std::string& lost) { ADD_FAILURE() << lost; });
        work(group);
        group->leave();
      } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << rank << ": " << error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

inline void on_ranks(int64_t ranks, const std::function<void(std::shared_ptr<distributed::RankGroup>)>& work,
                     distributed::Backend backend = distributed::Backend::Auto) {
  on_ranks_of({.ranks = ranks, .address = "127.0.0.1", .port = free_port()}, work, backend);
}

}  // namespace heed::testing
