// The threads of the replicas that compute the micro-batches of a step at the same time. They are reused during the
// whole training, because LibTorch keeps settings (such as the number of threads) and allocator caches per thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace heed::training {

class ReplicaThreads {
 public:
  /// Starts `replicas` threads with `threads_each` intra-operation threads. A single replica runs on the caller's
  /// thread, with the caller's number of threads.
  ReplicaThreads(int64_t replicas, int64_t threads_each);
  ~ReplicaThreads();
  ReplicaThreads(const ReplicaThreads&) = delete;
  ReplicaThreads& operator=(const ReplicaThreads&) = delete;

  int64_t size() const { return replicas_; }
  /// Calls work(0), ..., work(size() - 1) at the same time, each number always on the same thread. Returns when all
  /// have returned. Rethrows the first exception.
  void run(const std::function<void(int64_t)>& work);

 private:
  void serve(int64_t replica, int64_t threads_each);

  int64_t replicas_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(int64_t)>* work_ = nullptr;
  uint64_t round_ = 0;
  int64_t running_ = 0;
  bool closing_ = false;
  std::exception_ptr error_;
};

}  // namespace heed::training
