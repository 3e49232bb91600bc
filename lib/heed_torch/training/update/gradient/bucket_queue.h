// Lets the buckets of a gradient go to other ranks while the backward pass computes the next ones.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace heed::training {

/// Hands buckets over as they become complete, in the one order that all ranks keep. One thread hands over at a time,
/// that of whoever completes the next bucket; the others go on computing.
class BucketQueue {
 public:
  /// `order`: the numbers 0 to n - 1 of the buckets.
  BucketQueue(std::vector<size_t> order, std::function<void(size_t bucket)> hand_over);

  /// May be called from several threads at once, once for each bucket. What hand_over throws comes out here, and
  /// nothing is handed over any more.
  void complete(size_t bucket);
  /// When all are: in the order in which they were completed.
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
