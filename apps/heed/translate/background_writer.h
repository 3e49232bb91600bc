// Writes results in order in a separate thread, while others are computed.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include "heed/core/bounded_queue.h"

namespace heed::apps {

template <class T>
class BackgroundWriter {
 public:
  /// ahead: how many may wait to be written. write: called for each. rest: called when none is waiting.
  BackgroundWriter(size_t ahead, std::function<void(T&& thing)> write, std::function<void()> rest)
      : write_(std::move(write)), rest_(std::move(rest)), things_(ahead), thread_([this] { run(); }) {}
  /// Writes everything that was put.
  ~BackgroundWriter() { end(); }
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  /// put() and check() throw the exception that ended the writing.
  void put(T thing) {
    if (!things_.put(std::move(thing))) check();
  }
  void check() const {
    if (failed_) std::rethrow_exception(error_);
  }
  /// Waits until everything is written.
  void finish() {
    end();
    check();
  }

 private:
  void run() {
    try {
      for (auto things = things_.take_present(); !things.empty(); things = things_.take_present()) {
        for (T& thing : things) write_(std::move(thing));
        rest_();
      }
    } catch (...) {
      error_ = std::current_exception();
      failed_ = true;
      things_.refuse();
    }
  }
  void end() {
    things_.close();
    if (thread_.joinable()) thread_.join();
  }

  std::function<void(T&&)> write_;
  std::function<void()> rest_;
  BoundedQueue<T> things_;
  std::exception_ptr error_;
  std::atomic<bool> failed_ = false;
  std::thread thread_;
};

}  // namespace heed::apps
