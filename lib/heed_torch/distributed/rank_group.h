// The processes (ranks) of one training, and how they communicate. Rank 0 leads: only it writes files and reports. All
// ranks of a group must call the same operations in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/core/broadcast_stream.h"

namespace heed::distributed {

using at::Tensor;

/// Waits for an operation that was started. Call it once.
using Wait = std::function<void()>;

/// Operations throw RankError if another rank is lost. Tensors may be on the host or on a device, but on the same kind
/// of device on all ranks.
class RankGroup {
 public:
  virtual ~RankGroup() = default;
  virtual int64_t rank() const = 0;
  virtual int64_t size() const = 0;
  bool leads() const { return rank() == 0; }
  bool alone() const { return size() == 1; }

  /// Starts an all-to-all exchange. `sent` holds sent_counts[r] elements for each rank r, in order of the ranks.
  /// `received` gets received_counts[r] elements from each rank r. Both are contiguous, of one dtype, and must exist
  /// until Wait returns.
  virtual Wait exchange(Tensor received, Tensor sent, std::vector<int64_t> received_counts,
                        std::vector<int64_t> sent_counts) = 0;
  /// Sends `values` of rank 0 to all ranks (contiguous, with the same shape and dtype on all ranks).
  virtual void broadcast(Tensor values) = 0;
  /// Replaces `values` (double [n]) by the sum over all ranks.
  virtual void add(Tensor values) = 0;
  /// A feed from rank 0 to all others. A separate thread may use it during the operations above, but not after leave().
  /// A single rank has no feed.
  virtual std::shared_ptr<BroadcastStream> open_broadcast() = 0;
  /// Tells the other ranks that this rank ends because of an exception, and the reason, so that they can name it.
  virtual void give_up(const std::string& reason) = 0;
  /// Ends the group when all ranks are done. All ranks must call it.
  virtual void leave() = 0;

  /// Returns rank 0's text on all ranks.
  std::string broadcast(std::string text);
  /// Returns the texts of all ranks on all ranks.
  std::vector<std::string> gather(const std::string& text);
  /// The sums of all ranks' values.
  std::vector<double> add(std::vector<double> values);
};

/// A group of only this process: it receives what it sends.
std::shared_ptr<RankGroup> one_rank();

}  // namespace heed::distributed
