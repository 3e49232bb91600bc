// The part of `heed doctor` that needs LibTorch.
#include <chrono>
#include <string>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <fmt/format.h>
#include <torch/cuda.h>
#include <torch/version.h>

#include "commands.h"
#include "doctor/report_line.h"
#include "heed/core/text/counted.h"
#include "heed_torch/config/device.h"
#include "heed_torch/distributed/c10d_ranks.h"
#include "heed_torch/distributed/nccl_backend.h"
#include "heed_torch/nn/products/gemm.h"
#include "heed_torch/nn/products/product.h"

namespace heed::apps {
namespace {

struct DoctorCommand {};
void describe(DoctorCommand&, OptionVisitor&) {}

/// Giga-operations per second of products [1024, 512] [512, 512] as training makes them, on all threads.
double training_speed(bool rounded) {
  const at::NoGradGuard no_grad;
  const nn::RoundedProducts rounding(rounded);
  const at::Tensor x = at::ones({1024, 512}), weight = at::ones({512, 512});
  nn::product(x, weight);  // the first one prepares
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  int64_t products = 0;
  std::chrono::duration<double> spent{};
  for (; spent.count() < 0.3; ++products, spent = Clock::now() - begin) nn::product(x, weight);
  return 2e-9 * static_cast<double>(products) * 1024 * 512 * 512 / spent.count();
}

std::string describe_training() {
  std::string text = fmt::format("fp32 {:.0f}", training_speed(false));
  if (nn::has_fast_rounded_products()) text += fmt::format(", bf16 {:.0f}", training_speed(true));
  text += " giga-operations/s on all threads, by ";
  text += nn::has_gemm<float>() ? "oneDNN" : "LibTorch: oneDNN's library (libdnnl) was not found";
  if (!nn::has_fast_rounded_products()) text += "; bf16 is slow: the processor has no AVX512-BF16 instructions";
  return text;
}

std::string describe_gpus() {
  if (!at::hasCUDA())
    return "none: this LibTorch is built for CPUs; docs/guide/devices.md explains how to build for CUDA";
  const auto count = static_cast<int64_t>(torch::cuda::device_count());
  return count == 0 ? "none: LibTorch is built for CUDA, but finds no GPU or no driver" : counted(count, "GPU");
}

std::string describe_ranks() {
  if (!distributed::has_gloo()) return "one rank only: heed was built without Gloo's headers (libgloo-dev)";
  return distributed::has_nccl() ? "several, by Gloo and NCCL"
                                 : "several, by Gloo; no NCCL: heed was built without CUDA's and NCCL's headers";
}

int diagnose(const DoctorCommand&, const config::Arguments&) {
  const int64_t threads = config::use_threads(0);
  print(report_line("LibTorch",
                    fmt::format("{}, {}, {}", TORCH_VERSION, at::get_cpu_capability(), counted(threads, "thread"))));
  print(report_line("training", describe_training()));
  print(report_line("GPUs", describe_gpus()));
  print(report_line("ranks", describe_ranks()));
  return 0;
}

}  // namespace

config::Command torch_doctor_command() { return with_options<DoctorCommand>({.name = "doctor", .help = {}}, diagnose); }

}  // namespace heed::apps
