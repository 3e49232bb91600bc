#include "heed_torch/training/step/gradient/bfloat16_rounding.h"

#include <algorithm>
#include <array>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "heed/kernels/rounding_kernel.h"

namespace heed::training {
namespace {

constexpr int64_t kGrain = 65'536;  // least number of elements per thread

void round_in_place(float* values, int64_t count) {
  std::array<c10::BFloat16, 4096> rounded;
  for (int64_t begin = 0; begin < count; begin += std::ssize(rounded)) {
    const int64_t block = std::min(std::ssize(rounded), count - begin);
    kernels::round_to_bfloat16(values + begin, block, reinterpret_cast<uint16_t*>(rounded.data()));
    std::copy_n(rounded.data(), block, values + begin);
  }
}

}  // namespace

void round_to_bfloat16(const Tensor& values) {
  if (!values.is_cpu()) {
    values.copy_(values.to(at::kBFloat16));
    return;
  }
  auto* numbers = values.mutable_data_ptr<float>();
  at::parallel_for(0, values.numel(), kGrain,
                   [&](int64_t begin, int64_t end) { round_in_place(numbers + begin, end - begin); });
}

Tensor as_bfloat16(const Tensor& values) {
  if (!values.is_cpu()) return values.to(at::kBFloat16);
  Tensor rounded = at::empty(values.sizes(), values.options().dtype(at::kBFloat16));
  const auto* from = values.const_data_ptr<float>();
  auto* to = static_cast<uint16_t*>(rounded.mutable_data_ptr());
  at::parallel_for(0, values.numel(), kGrain, [&](int64_t begin, int64_t end) {
    kernels::round_to_bfloat16(from + begin, end - begin, to + begin);
  });
  return rounded;
}

}  // namespace heed::training
