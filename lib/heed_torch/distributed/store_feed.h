// A feed from rank 0 to all other ranks, through the store where they met. It is slower than Gloo's operations. But it
// may be used at any time, while Gloo's operations must come in the same order on all ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "heed/core/broadcast_stream.h"

namespace heed::distributed {

struct FeedTerms {
  int64_t readers = 1;    ///< how many ranks receive every block
  std::string name = {};  ///< prefix of the store's keys; different for each feed
};

/// A block is stored in pieces, since a store refuses values of more than 8 MiB; the last reader removes a piece.
/// store: a connection of its own, since a wait blocks it. Throws what the store throws if the other ranks are gone.
std::unique_ptr<BroadcastStream> feed_in_store(c10::intrusive_ptr<c10d::Store> store, FeedTerms terms);

}  // namespace heed::distributed
