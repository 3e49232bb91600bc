#include "heed_torch/training/step/gradient/bucket_queue.h"

#include <utility>

namespace heed::training {

BucketQueue::BucketQueue(std::vector<size_t> order, std::function<void(size_t bucket)> hand_over)
    : hand_over_(std::move(hand_over)), order_(std::move(order)), complete_(order_.size(), false) {}

void BucketQueue::complete(size_t bucket) {
  std::unique_lock lock(mutex_);
  complete_[bucket] = true;
  completed_.push_back(bucket);
  if (handing_over_) return;
  handing_over_ = true;
  while (handed_over_ < order_.size() && complete_[order_[handed_over_]]) {
    const size_t next = order_[handed_over_++];
    lock.unlock();
    hand_over_(next);
    lock.lock();
  }
  handing_over_ = false;
}

}  // namespace heed::training
