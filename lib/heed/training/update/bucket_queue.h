// Lets the buckets of a gradient go to other ranks while the backward pass computes the next ones.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace heed::training {

/// Hands buckets over as they become complete, in the one order that all ranks keep: from the last, whose parameters
/// the backward pass reaches first, to the first. One thread hands over at a time, that of whoever completes the next
/// bucket; the others go on computing.
class BucketQueue {
 public:
  BucketQueue(size_t buckets, std::function<void(size_t bucket)> hand_over);

  /// May be called from several threads at once, once for each bucket. What hand_over throws comes out here, and
  /// nothing is handed over any more.
  void complete(size_t bucket);

 private:
  std::function<void(size_t)> hand_over_;
  std::mutex mutex_;
  std::vector<bool> complete_;
  size_t left_;  // to be handed over
  bool handing_over_ = false;
};

}  // namespace heed::training
