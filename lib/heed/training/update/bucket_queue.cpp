#include "heed/training/update/bucket_queue.h"

#include <utility>

namespace heed::training {

BucketQueue::BucketQueue(size_t buckets, std::function<void(size_t bucket)> hand_over)
    : hand_over_(std::move(hand_over)), complete_(buckets, false), left_(buckets) {}

void BucketQueue::complete(size_t bucket) {
  std::unique_lock lock(mutex_);
  complete_[bucket] = true;
  if (handing_over_) return;
  handing_over_ = true;
  while (left_ > 0 && complete_[left_ - 1]) {
    const size_t next = --left_;
    lock.unlock();
    hand_over_(next);
    lock.lock();
  }
  handing_over_ = false;
}

}  // namespace heed::training
