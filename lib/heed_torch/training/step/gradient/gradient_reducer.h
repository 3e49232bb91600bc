// Sums the gradient of a step whose parts several ranks computed. Each rank sums the ranges that it owns
// (flat_layout.h): it receives the other ranks' sums of these ranges and adds them along the tree (reduction_tree.h).
// If all ranks need the whole gradient, it then sends the total to them.
//
// If each rank holds one node of the tree, it sends 2 (n - 1) / n times the gradient's bytes, as in a ring all-reduce.
// It sends half of that if each rank keeps only what it owns. Buckets are sent from the last to the first, because the
// backward pass completes the last one first (bucket_queue.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed_torch/distributed/distributed_options.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/training/step/gradient/gradient_sum.h"

namespace heed::training {

/// What a rank gets of the gradient: all of it, or only the ranges that it owns. In that case the other ranges are
/// undefined.
enum class GradientOf { All, Owned };

class GradientReducer {
 public:
  GradientReducer(std::shared_ptr<distributed::RankGroup> ranks, distributed::GradientFormat form, GradientOf wanted);

  /// Starts the gradient of a step with this number of parts.
  void begin(size_t parts);
  /// Adds a bucket of it. `own`: the sums of this rank's parts, share_of(parts, rank, ranks), complete in this bucket.
  /// `total`: a flat gradient that receives the sum of all parts in this bucket, at the latest when finish() returns;
  /// it may be the gradient of one of this rank's nodes. At most two buckets are exchanged at a time. All ranks must
  /// pass the same buckets in the same order.
  void add(std::span<const NodeSum> own, const Tensor& total, FlatRange bucket);
  /// Call it after the last bucket.
  void finish();

  int64_t bytes_sent() const { return bytes_sent_; }         ///< to other ranks, in total
  double seconds_waited() const { return seconds_waited_; }  ///< for other ranks, in total

 private:
  /// A range of the gradient that is being exchanged.
  struct Bucket {
    Tensor total;                     // where its sum is written
    std::vector<FlatRange> shares;    // of the ranks
    std::vector<int64_t> sizes = {};  // of the shares
    Tensor sent = {}, received = {};
    distributed::Wait wait = {};
  };
  void go_on();
  Bucket send_sums(std::span<const NodeSum> own, const Tensor& total, FlatRange range);
  Tensor add_received(Bucket& bucket);
  void keep_or_send_total(Bucket& bucket);
  void take_total(Bucket& bucket);
  void send(Bucket& bucket, std::vector<int64_t> received_counts, std::vector<int64_t> sent_counts);
  void receive(Bucket& bucket);
  Tensor on_the_wire(const Tensor& values) const;

  std::shared_ptr<distributed::RankGroup> ranks_;
  distributed::GradientFormat form_;
  GradientOf wanted_;
  size_t parts_ = 0;                                 // of this step
  std::vector<std::vector<MicroBatchRange>> nodes_;  // that each rank holds, of this step
  std::optional<Bucket> sums_, totals_;              // being exchanged
  int64_t bytes_sent_ = 0;
  double seconds_waited_ = 0;
};

}  // namespace heed::training
