#include "heed_torch/training/step/replica_threads.h"

#include <utility>

#include <ATen/Parallel.h>

namespace heed::training {

ReplicaThreads::ReplicaThreads(int64_t replicas, int64_t threads_each) : replicas_(replicas) {
  if (replicas == 1) return;
  const int ours = at::get_num_threads();
  for (int64_t i = 0; i < replicas; ++i) threads_.emplace_back([this, i, threads_each] { serve(i, threads_each); });
  run([](int64_t) {});
  // The replicas' calls also set the number for threads that start later. Those must use the caller's number.
  at::set_num_threads(ours);
}

ReplicaThreads::~ReplicaThreads() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ReplicaThreads::run(const std::function<void(int64_t)>& work) {
  if (threads_.empty()) return work(0);
  std::unique_lock lock(mutex_);
  work_ = &work;
  running_ = replicas_;
  ++round_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return running_ == 0; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ReplicaThreads::serve(int64_t replica, int64_t threads_each) {
  at::set_num_threads(static_cast<int>(threads_each));
  at::get_num_threads();  // the first use on a thread adopts the number that any thread set last
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closing_ || round_ != seen; });
    if (closing_) return;
    seen = round_;
    const auto& work = *work_;
    lock.unlock();
    std::exception_ptr error;
    try {
      work(replica);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error && !error_) error_ = error;
    if (--running_ == 0) changed_.notify_all();
  }
}

}  // namespace heed::training
