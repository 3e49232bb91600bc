// Hands things in order from the thread that gives them to the one that takes them, a bounded number ahead.
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

  /// Waits for room. False: nothing is taken any more.
  bool put(T value) {
    std::unique_lock lock(mutex_);
    paused_ = false;
    changed_.wait(lock, [&] { return things_.size() < capacity_ || refused_; });
    if (refused_) return false;
    things_.push_back(std::move(value));
    changed_.notify_all();
    return true;
  }
  /// Whoever takes shall not wait for the next thing, which may be long in coming. False: nothing is taken any more.
  bool pause() {
    const std::lock_guard lock(mutex_);
    paused_ = true;
    changed_.notify_all();
    return !refused_;
  }
  /// There are no more things; an error is thrown to whoever would take them.
  void close(std::exception_ptr error = nullptr) {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    error_ = std::move(error);
    changed_.notify_all();
  }

  /// Waits for `most` things, at most the capacity; takes fewer where the giver pauses, or at the end; none behind it.
  /// Things that come right before an error are lost.
  std::vector<T> take(size_t most) {
    std::unique_lock lock(mutex_);
    most = std::min(most, capacity_);
    changed_.wait(lock, [&] { return things_.size() >= most || closed_ || (paused_ && !things_.empty()); });
    if (things_.size() < most && error_) std::rethrow_exception(error_);
    return take_first(most);
  }
  /// The same, but waits for one thing alone and takes what else is there.
  std::vector<T> take_present() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !things_.empty() || closed_; });
    if (things_.empty() && error_) std::rethrow_exception(error_);
    return take_first(things_.size());
  }
  /// Takes nothing any more. Returns whether the giver is in a pause.
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
