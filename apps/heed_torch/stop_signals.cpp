#include "stop_signals.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>

#include "heed/core/log.h"

namespace heed::apps {
namespace {

training::StopRequest stop_request;
std::atomic<bool> stoppable = false;
std::mutex changing_action;
std::function<void()> action_before_end;

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

/// Ends the program as the signal's default action does.
void end_by(int signal) {
  {
    const std::lock_guard lock(changing_action);
    if (action_before_end) action_before_end();
  }
  std::signal(signal, SIG_DFL);
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  std::raise(signal);
}

/// timeout and some shells send a signal both to a process and to its group. A signal this soon after the first one is
/// the same request.
constexpr std::chrono::seconds kSameRequest(2);

void wait_for_signals() {
  using Clock = std::chrono::steady_clock;
  const sigset_t signals = stop_signals();
  Clock::time_point requested;
  for (int signal = 0; sigwait(&signals, &signal) == 0;) {
    if (stoppable.exchange(false)) {
      stop_request.request();
      requested = Clock::now();
      log_info("asked to stop: saves first; a second request ends at once");
    } else if (!stop_request.requested() || Clock::now() - requested > kSameRequest) {
      end_by(signal);
    }
  }
}

}  // namespace

void receive_stop_signals() {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(wait_for_signals).detach();
}

void before_ending(std::function<void()> action) {
  const std::lock_guard lock(changing_action);
  action_before_end = std::move(action);
}

training::StopRequest& stop_request_for_training() {
  stoppable = true;
  return stop_request;
}

}  // namespace heed::apps
