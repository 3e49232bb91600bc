#include "heed_torch/config/device.h"

#include <algorithm>
#include <charconv>
#include <mutex>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/parallel.h"

namespace heed::config {
namespace {

/// The devices other than the CPU.
struct Accelerator {
  at::DeviceType type;
  std::string name;   // as in options
  std::string shown;  // as in messages
  int64_t count;
};

/// CUDA, or the device that this process registered with LibTorch (PrivateUse1). Users of heed's programs cannot
/// register one.
Accelerator find_accelerator() {
  if (at::isPrivateUse1HooksRegistered()) {
    const std::string name = c10::get_privateuse1_backend();
    return {at::kPrivateUse1, name, name, at::detail::getPrivateUse1Hooks().deviceCount()};
  }
  return {at::kCUDA, "cuda", "CUDA",
          at::hasCUDA() ? static_cast<int64_t>(at::detail::getCUDAHooks().deviceCount()) : 0};
}

/// N of "TYPE:N"; 0 of "TYPE"; -1 of anything else.
int index_of(const std::string& name, const std::string& type) {
  if (name == type) return 0;
  if (!name.starts_with(type + ":")) return -1;
  int index = -1;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + type.size() + 1, end, index);
  return error == std::errc{} && stop == end ? index : -1;
}

/// Turns TF32 off, so that float32 is full float32: by default cuDNN multiplies with 10 bits of mantissa (TF32).
void use_whole_float32() {
  at::globalContext().setAllowTF32CuDNN(false);
  at::globalContext().setAllowTF32CuBLAS(false);
}

}  // namespace

at::Device pick_device(const std::string& name) {
  const Accelerator accelerator = find_accelerator();
  if (name == "cpu" || (name == "auto" && accelerator.count == 0)) return at::kCPU;
  const int index = name == "auto" ? 0 : index_of(name, accelerator.name);
  if (index < 0) {
    throw ConfigError("device", fmt::format("must be auto, cpu, {0} or {0}:N, but is `{1}`", accelerator.name, name));
  }
  if (index >= accelerator.count) {
    throw ConfigError("device", fmt::format("is `{}`, but this machine has {} {} devices that LibTorch can use", name,
                                            accelerator.count, accelerator.shown));
  }
  if (accelerator.type == at::kCUDA) use_whole_float32();
  return {accelerator.type, static_cast<c10::DeviceIndex>(index)};
}

at::Device pick_device_for_process(const std::string& name, int64_t process) {
  const at::Device first = pick_device(name);
  const Accelerator accelerator = find_accelerator();
  const bool numbered = name != "auto" && name != accelerator.name;
  if (first.is_cpu() || numbered || accelerator.count == 1) return first;
  if (process >= accelerator.count) {
    throw ConfigError("device", fmt::format("is `{}`, but process {} of this machine has none of its {} {} devices; "
                                            "several processes share one by its number, {}:0",
                                            name, process + 1, accelerator.count, accelerator.shown, accelerator.name));
  }
  return {first.type(), static_cast<c10::DeviceIndex>(process)};
}

int64_t use_threads(int64_t threads, int64_t processes) {
  const int64_t used = threads > 0 ? threads : std::max<int64_t>(1, available_cores() / processes);
  at::set_num_threads(static_cast<int>(used));
  return used;
}

namespace {

struct Borrowed {
  std::mutex mutex;
  int64_t alive = 0;
  int before = 0;  // LibTorch's number of threads
};
Borrowed& borrowed() {
  static Borrowed state;
  return state;
}

}  // namespace

ScopedThreads::ScopedThreads(int64_t threads) {
  const std::lock_guard lock(borrowed().mutex);
  if (borrowed().alive++ == 0) borrowed().before = at::get_num_threads();
  use_threads(threads);
}

/// LibTorch has a number per thread in addition to that of the process, so each thread must restore it.
ScopedThreads::~ScopedThreads() {
  const std::lock_guard lock(borrowed().mutex);
  --borrowed().alive;
  at::set_num_threads(borrowed().before);
}

}  // namespace heed::config
