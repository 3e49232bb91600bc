// Passes items in order from a producer thread to a consumer thread, with a limited number of items waiting.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

namespace heed {

template <class T>
class BoundedQueue {
 public:
  /// capacity: at least 1.
  explicit BoundedQueue(size_t capacity) : capacity_(std::max<size_t>(capacity, 1)) {}

  /// Waits until the queue is not full. Returns false if the consumer takes no more items.
  bool put(T value) {
    std::unique_lock lock(mutex_);
    paused_ = false;
    changed_.wait(lock, [&] { return things_.size() < capacity_ || refused_; });
    if (refused_) return false;
    things_.push_back(std::move(value));
    changed_.notify_all();
    return true;
  }
  /// Call it if the next item may take long: the consumer then does not wait for it. Returns false if the consumer
  /// takes no more items.
  bool pause() {
    const std::lock_guard lock(mutex_);
    paused_ = true;
    changed_.notify_all();
    return !refused_;
  }
  /// Ends the queue. With an error, the consumer's take() throws it.
  void close(std::exception_ptr error = nullptr) {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    error_ = std::move(error);
    changed_.notify_all();
  }

  /// Waits for `most` items; at most the capacity is taken. Returns fewer if the producer pauses, or at the end, and
  /// none after the end. Items right before an error are lost.
  std::vector<T> take(size_t most) {
    std::unique_lock lock(mutex_);
    most = std::min(most, capacity_);
    changed_.wait(lock, [&] { return things_.size() >= most || closed_ || (paused_ && !things_.empty()); });
    if (things_.size() < most && error_) std::rethrow_exception(error_);
    return take_first(most);
  }
  /// The same, but waits for only one item, then takes all that are there.
  std::vector<T> take_present() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !things_.empty() || closed_; });
    if (things_.empty() && error_) std::rethrow_exception(error_);
    return take_first(things_.size());
  }
  /// The consumer takes no more items. Returns whether the producer has paused.
  bool refuse() {
    const std::lock_guard lock(mutex_);
    refused_ = true;
    changed_.notify_all();
    return paused_ && !closed_;
  }

 private:
  std::vector<T> take_first(size_t most) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(most, things_.size()));
    std::vector<T> taken(std::make_move_iterator(things_.begin()), std::make_move_iterator(things_.begin() + count));
    things_.erase(things_.begin(), things_.begin() + count);
    changed_.notify_all();
    return taken;
  }

  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> things_;
  std::exception_ptr error_;
  bool paused_ = false;
  bool closed_ = false;
  bool refused_ = false;
};

}  // namespace heed
