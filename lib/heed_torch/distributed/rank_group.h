// The processes of one training, its ranks, and what they say to each other. Rank 0 leads: it alone writes files and
// reports. All ranks of a group must call the same operations in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/core/block_feed.h"

namespace heed::distributed {

using at::Tensor;

/// Waits for what was begun. To be called once.
using Wait = std::function<void()>;

/// Operations throw RankError where another rank can not be heard any more. Tensors may be on the host or on a device,
/// the same kind of one on all ranks.
class RankGroup {
 public:
  virtual ~RankGroup() = default;
  virtual int64_t rank() const = 0;
  virtual int64_t size() const = 0;
  bool leads() const { return rank() == 0; }
  bool alone() const { return size() == 1; }

  /// Begins to send the elements of `sent` to all ranks, sent_counts[r] to rank r, one stretch behind the other, and to
  /// receive into `received` received_counts[r] of rank r. Both are contiguous, of one dtype, and must live until Wait.
  virtual Wait exchange(Tensor received, Tensor sent, std::vector<int64_t> received_counts,
                        std::vector<int64_t> sent_counts) = 0;
  /// Gives `values` (contiguous, of the same shape and dtype everywhere) of rank 0 to all.
  virtual void broadcast(Tensor values) = 0;
  /// In place of `values` (double [n]), the sum of all ranks'.
  virtual void add(Tensor values) = 0;
  /// A feed from rank 0 to all others, which a thread of its own may use beside the operations above; not after
  /// leave(). A rank by itself has none.
  virtual std::shared_ptr<BlockFeed> open_feed() = 0;
  /// Tells the others that this rank ends, and why, so that they can name it. For the end by an exception.
  virtual void give_up(const std::string& reason) = 0;
  /// All ranks are done; to be called by all of them, at the end.
  virtual void leave() = 0;

  /// Rank 0's text, everywhere.
  std::string broadcast(std::string text);
  /// The texts of all ranks, everywhere.
  std::vector<std::string> gather(const std::string& text);
  /// The sums of all ranks' values.
  std::vector<double> add(std::vector<double> values);
};

/// A process by itself: what it sends, it receives.
std::shared_ptr<RankGroup> one_rank();

}  // namespace heed::distributed
