// Ranks that are threads of the test, and speak over the loopback as processes do.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "heed/distributed/c10d_ranks.h"
#include "support/free_port.h"

namespace heed::testing {

/// Calls work for each of `ranks` ranks at the same time; all leave at its end.
inline void on_ranks(int64_t ranks, const std::function<void(std::shared_ptr<distributed::RankGroup>)>& work,
                     distributed::Backend backend = distributed::Backend::Auto) {
  const int64_t port = free_port();
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const distributed::Launch launch{.rank = rank, .ranks = ranks, .address = "127.0.0.1", .port = port};
        const auto group =
            distributed::join(launch, {.backend = backend}, [](const std::string& lost) { ADD_FAILURE() << lost; });
        work(group);
        group->leave();
      } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << rank << ": " << error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace heed::testing
