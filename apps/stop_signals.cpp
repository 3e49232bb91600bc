#include "stop_signals.h"

#include <atomic>
#include <csignal>
#include <thread>

namespace heed::apps {
namespace {

training::StopRequest stop_request;
std::atomic<bool> stoppable = false;

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

/// As if nothing had been said about the signal.
void end_by(int signal) {
  std::signal(signal, SIG_DFL);
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  std::raise(signal);
}

void wait_for_signals() {
  const sigset_t signals = stop_signals();
  for (int signal = 0; sigwait(&signals, &signal) == 0;) {
    if (!stoppable.exchange(false)) end_by(signal);
    stop_request.request();
  }
}

}  // namespace

void receive_stop_signals() {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(wait_for_signals).detach();
}

training::StopRequest& begin_stoppable_training() {
  stoppable = true;
  return stop_request;
}

}  // namespace heed::apps
