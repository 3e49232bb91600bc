// What rank 0 hands to all other ranks in the store at which they met: slower than Gloo's operations, but beside them,
// since those must come in one order on all ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "heed/core/block_feed.h"

namespace heed::distributed {

struct FeedTerms {
  int64_t readers = 1;    ///< how many ranks receive every block
  std::string name = {};  ///< begins the store's keys; another for each feed
};

/// A block is stored in pieces, since a store refuses values of more than 8 MiB; the last reader removes a piece.
/// store: a connection of its own, since each is held while it waits. Throws what the store does where the others are
/// gone.
std::unique_ptr<BlockFeed> feed_in_store(c10::intrusive_ptr<c10d::Store> store, FeedTerms terms);

}  // namespace heed::distributed
