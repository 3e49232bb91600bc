#include "heed/config/device.h"

#include <charconv>
#include <thread>

#include <sched.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::config {
namespace {

int64_t cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return std::max(1u, std::thread::hardware_concurrency());
}

/// N of "cuda:N"; 0 of "cuda"; -1 of anything else.
int cuda_index(const std::string& name) {
  if (name == "cuda") return 0;
  if (!name.starts_with("cuda:")) return -1;
  int index = -1;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 5, end, index);
  return error == std::errc{} && stop == end ? index : -1;
}

}  // namespace

at::Device pick_device(const std::string& name) {
  const int64_t count = at::hasCUDA() ? static_cast<int64_t>(at::detail::getCUDAHooks().deviceCount()) : 0;
  if (name == "cpu" || (name == "auto" && count == 0)) return at::kCPU;
  const int index = name == "auto" ? 0 : cuda_index(name);
  if (index < 0) throw ConfigError("device", fmt::format("must be auto, cpu, cuda or cuda:N, but is `{}`", name));
  if (index >= count) {
    throw ConfigError("device",
                      fmt::format("is `{}`, but this machine has {} CUDA devices that LibTorch can use", name, count));
  }
  return {at::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

int64_t use_threads(int64_t threads) {
  const int64_t used = threads > 0 ? threads : cores();
  at::set_num_threads(static_cast<int>(used));
  return used;
}

}  // namespace heed::config
