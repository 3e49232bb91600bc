// Picks the device (CPU or GPU) and the number of threads.
#pragma once

#include <cstdint>
#include <string>

#include <c10/core/Device.h>

namespace heed::config {

/// auto, cpu, cuda or cuda:N as a device that there is. On CUDA float32 products are whole ones from then on, without
/// TF32. In a process that has registered a device of its own with LibTorch (PrivateUse1), as heed's tests do, that one
/// takes the place of CUDA. Throws ConfigError.
at::Device pick_device(const std::string& name);
/// The same for one of several processes of this machine, numbered from 0: auto and cuda mean a device of its own, in
/// their order, or the only one that it sees. Throws ConfigError where there are too few as well.
at::Device pick_own_device(const std::string& name, int64_t process);
/// The CPU threads of this process: `threads`, or if that is 0 available_cores() (core/parallel.h), shared with as many
/// other processes of its kind. Gives their number.
int64_t use_threads(int64_t threads, int64_t processes = 1);

/// As use_threads() until it is destroyed; then LibTorch, which other code of the process uses too, has its number of
/// threads back. Several may live at once, in different threads: what was before the first of them comes back.
class BorrowedThreads {
 public:
  explicit BorrowedThreads(int64_t threads);
  ~BorrowedThreads();
  BorrowedThreads(const BorrowedThreads&) = delete;
  BorrowedThreads& operator=(const BorrowedThreads&) = delete;
};

}  // namespace heed::config
