#include "interruptible.h"

#include <chrono>
#include <csignal>
#include <future>
#include <optional>
#include <thread>

#include <nanobind/nanobind.h>

#include "gil.h"

namespace nb = nanobind;

namespace heed::python {
namespace {

struct Interrupted : std::exception {};

constexpr std::chrono::milliseconds kBetweenLooks(50);

/// While it lives this thread takes no signals, nor do those that it starts.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

std::future<void> begin(const std::function<void()>& work) {
  const WithoutSignals none;
  return std::async(std::launch::async, work);
}

/// The exception of a signal's handler.
std::optional<nb::python_error> raised_by_signal() {
  const Gil gil;
  if (PyErr_CheckSignals() == 0) return std::nullopt;
  return nb::python_error();
}

}  // namespace

void Interrupt::check() const {
  if (requested_) throw Interrupted();
}

void run_interruptibly(const std::function<void(const Interrupt& interrupt)>& work,
                       const std::function<void()>& on_interrupt) {
  Interrupt interrupt;
  std::optional<nb::python_error> raised;
  std::future<void> done;
  {
    const WithoutGil release;
    done = begin([&] { work(interrupt); });
    while (done.wait_for(kBetweenLooks) != std::future_status::ready) {
      auto error = raised_by_signal();
      if (!error || raised) continue;
      raised.emplace(std::move(*error));
      interrupt.request();
      if (on_interrupt) on_interrupt();
    }
  }
  try {
    done.get();
  } catch (const Interrupted&) {
  } catch (...) {
    if (!raised) throw;
  }
  if (raised) throw std::move(*raised);
}

}  // namespace heed::python
