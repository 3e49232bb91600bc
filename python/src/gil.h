// Python's global interpreter lock (GIL), in threads that may outlive the interpreter. A thread that waits for the GIL
// while the interpreter ends is ended by Python in the middle of C++, or waits forever with the locks that it has.
#pragma once

#include <Python.h>

namespace heed::python {

/// Holds the GIL. Once the interpreter ends, the constructor does not return: the thread stays until the process ends.
class Gil {
 public:
  Gil();
  ~Gil();
  Gil(const Gil&) = delete;
  Gil& operator=(const Gil&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Gives the GIL up, and takes it back at its end. Once the interpreter ends, other threads than the one that ends it
/// do not get it back: they stay until the process ends.
class WithoutGil {
 public:
  WithoutGil();
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

/// The interpreter ends. To be called with the GIL; returns when no thread waits for it in the classes above. If
/// threads still work without it when the process exits, the process ends before static objects are destroyed, which
/// they use.
void end_gil();

}  // namespace heed::python
