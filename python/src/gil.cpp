#include "gil.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace heed::python {
namespace {

struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  int waiting = 0;                        // threads on their way to the GIL
  std::optional<std::thread::id> ending;  // the thread that ends the interpreter
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

}  // namespace

Gil::Gil() {
  pass_gate([this] { state_ = PyGILState_Ensure(); });
}
Gil::~Gil() { PyGILState_Release(state_); }

WithoutGil::~WithoutGil() {
  pass_gate([this] { PyEval_RestoreThread(state_); });
}

void end_gil() {
  PyThreadState* state = PyEval_SaveThread();
  {
    std::unique_lock lock(gate().mutex);
    gate().ending = std::this_thread::get_id();
    gate().changed.wait(lock, [] { return gate().waiting == 0; });
  }
  PyEval_RestoreThread(state);
}

}  // namespace heed::python
