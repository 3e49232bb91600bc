#include "gil.h"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>

#include <nanobind/nanobind.h>

namespace heed::python {
namespace {

struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  int waiting = 0;                        // threads on their way to the GIL
  std::optional<std::thread::id> ending;  // the thread that ends the interpreter
  std::atomic<int> away = 0;              // threads that gave the GIL up and do not have it back
};

/// Is never destroyed: threads stay in it.
Gate& gate() {
  static Gate& gate = *new Gate;
  return gate;
}

/// Calls take(), which waits for the GIL; of other threads than the one that ends the interpreter, only before that.
template <class Take>
void pass_gate(const Take& take) {
  std::unique_lock lock(gate().mutex);
  gate().changed.wait(lock, [] { return !gate().ending || gate().ending == std::this_thread::get_id(); });
  ++gate().waiting;
  lock.unlock();
  take();
  lock.lock();
  --gate().waiting;
  gate().changed.notify_all();
}

/// Ends the process at once if threads still work. A handler of exit().
void end_beside_work(int status, void*) {
  if (gate().away == 0) return;
  std::fflush(nullptr);
  _exit(status);
}

/// To be called as late as possible: exit() calls its handlers and destroys static objects in reverse order.
void prepare_exit() {
  if (gate().away > 0) nanobind::set_leak_warnings(false);  // the threads keep what they use
  on_exit(end_beside_work, nullptr);
}

}  // namespace

Gil::Gil() {
  pass_gate([this] { state_ = PyGILState_Ensure(); });
}
Gil::~Gil() { PyGILState_Release(state_); }

WithoutGil::WithoutGil() {
  ++gate().away;
  state_ = PyEval_SaveThread();
}
WithoutGil::~WithoutGil() {
  pass_gate([this] { PyEval_RestoreThread(state_); });
  --gate().away;
}

void end_gil() {
  PyThreadState* state = PyEval_SaveThread();
  {
    std::unique_lock lock(gate().mutex);
    gate().ending = std::this_thread::get_id();
    gate().changed.wait(lock, [] { return gate().waiting == 0; });
  }
  PyEval_RestoreThread(state);
  if (Py_AtExit(prepare_exit) != 0) prepare_exit();  // Python takes at most 32 functions
}

}  // namespace heed::python
