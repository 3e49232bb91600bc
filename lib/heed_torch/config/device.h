// Picks the device (CPU or GPU) and the number of threads.
#pragma once

#include <cstdint>
#include <string>

#include <c10/core/Device.h>

namespace heed::config {

/// Turns auto, cpu, cuda or cuda:N into an available device. On CUDA, also turns TF32 off, so that matrix
/// multiplications have full float32 precision. A process may have registered its own device with LibTorch
/// (PrivateUse1), as heed's tests do; that device then replaces CUDA. Throws ConfigError.
at::Device pick_device(const std::string& name);
/// The same for one of several processes on this machine, numbered from 0. auto and cuda mean the device with the
/// process's number, or the only device that it sees. Also throws ConfigError if there are too few devices.
at::Device pick_device_for_process(const std::string& name, int64_t process);
/// Sets the CPU threads of this process and returns their number. It is `threads`; if that is 0, it is
/// available_cores() (core/parallel.h) divided by `processes`, the number of heed's processes on this machine.
int64_t use_threads(int64_t threads, int64_t processes = 1);

/// Sets the threads like use_threads(), and restores LibTorch's number when destroyed, since other code of the process
/// uses LibTorch too. Several may exist at once, in different threads; the number before the first of them is restored.
class ScopedThreads {
 public:
  explicit ScopedThreads(int64_t threads);
  ~ScopedThreads();
  ScopedThreads(const ScopedThreads&) = delete;
  ScopedThreads& operator=(const ScopedThreads&) = delete;
};

}  // namespace heed::config
