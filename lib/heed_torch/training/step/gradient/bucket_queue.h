// Sends the buckets of a gradient to other ranks while the backward pass computes the next ones.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace heed::training {

/// Passes complete buckets to hand_over() in one order that is the same on all ranks. One thread at a time calls it:
/// the one that completes the next bucket. The other threads continue computing.
class BucketQueue {
 public:
  /// `order`: a permutation of the buckets' numbers 0 to n - 1.
  BucketQueue(std::vector<size_t> order, std::function<void(size_t bucket)> hand_over);

  /// Call it once per bucket, from any thread. Rethrows what hand_over() throws; no bucket is passed on after that.
  void complete(size_t bucket);
  /// Valid when all buckets are complete: their order of completion.
  const std::vector<size_t>& completed() const { return completed_; }

 private:
  std::function<void(size_t)> hand_over_;
  std::mutex mutex_;
  std::vector<size_t> order_, completed_;
  std::vector<bool> complete_;
  size_t handed_over_ = 0;
  bool handing_over_ = false;
};

}  // namespace heed::training
