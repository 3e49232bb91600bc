// Work that lasts, beside Python: other Python threads run meanwhile, and Ctrl-C ends it.
#pragma once

#include <atomic>
#include <exception>
#include <functional>

namespace heed::python {

/// What Ctrl-C asks.
class Interrupt {
 public:
  void request() { requested_ = true; }
  bool requested() const { return requested_; }
  /// Throws something that run_interruptibly() expects where it has been requested.
  void check() const;

 private:
  std::atomic<bool> requested_ = false;
};

/// Does `work` in a thread of its own, without the GIL, and waits for it; gives out what it throws. A signal whose
/// Python handler raises an exception, such as Ctrl-C, requests the interrupt and calls on_interrupt; once the work has
/// ended that exception is raised. To be called with the GIL. The thread takes no signals: a handler on its stack would
/// break oneDNN's products (heed_torch/nn/products/gemm.h).
void run_interruptibly(const std::function<void(const Interrupt& interrupt)>& work,
                       const std::function<void()>& on_interrupt = {});

}  // namespace heed::python
