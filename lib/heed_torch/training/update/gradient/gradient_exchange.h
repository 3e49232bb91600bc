// The gradient of an update whose parts several ranks computed. Each rank adds up what it owns of it (flat_layout.h):
// it receives the sums that the others hold for it and adds them along the tree (part_tree.h). Where all are to have
// the gradient it sends the total back; so every rank sends 2 (n - 1) / n times the gradient's bytes, as in a ring,
// where each holds one node of the tree, and half of them where each keeps its own. Goes bucket by bucket, from the
// last to the first: the backward pass is done with the last one first (bucket_queue.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed_torch/distributed/distributed_options.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/training/update/gradient/gradient_sum.h"

namespace heed::training {

/// What a rank gets of the gradient: all of it, or what it owns; the rest is left undefined then.
enum class GradientOf { All, Owned };

class GradientExchange {
 public:
  GradientExchange(std::shared_ptr<distributed::RankGroup> ranks, distributed::GradientForm form, GradientOf wanted);

  /// The gradient of an update of so many parts comes next.
  void begin(size_t parts);
  /// A bucket of it. `own`: what this rank's parts, share_of(parts, rank, ranks), add up to, complete in this bucket.
  /// `total` gets the sum of all parts there, by the end of finish() at the latest: a flat gradient, which may be that
  /// of an own node. Two buckets are on their way at a time. All ranks must give the same buckets in the same order.
  void add(std::span<const NodeSum> own, const Tensor& total, FlatRange bucket);
  /// After the last bucket.
  void finish();

  int64_t bytes_sent() const { return bytes_sent_; }         ///< to other ranks, by all sums
  double seconds_waited() const { return seconds_waited_; }  ///< for other ranks, in all sums

 private:
  /// A stretch of the gradient on its way.
  struct Bucket {
    Tensor total;                     // where its sum is to stand
    std::vector<FlatRange> shares;    // of the ranks
    std::vector<int64_t> sizes = {};  // of these
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
  distributed::GradientForm form_;
  GradientOf wanted_;
  size_t parts_ = 0;                           // of this update
  std::vector<std::vector<PartRange>> nodes_;  // that each rank holds of it
  std::optional<Bucket> sums_, totals_;        // on their way
  int64_t bytes_sent_ = 0;
  double seconds_waited_ = 0;
};

}  // namespace heed::training
