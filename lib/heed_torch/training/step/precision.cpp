#include "heed_torch/training/step/precision.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include <ATen/autocast_mode.h>
#include <fmt/format.h>

#include "heed_torch/nn/products/gemm.h"

namespace heed::training {

namespace {

constexpr double kFirstScale = 65536;
constexpr double kLargestScale = 16777216;
constexpr int64_t kGrowthInterval = 2000;

bool rounds_products(c10::DeviceType device, Precision precision) {
  return device == c10::kCPU && precision == Precision::Bf16;
}

std::string_view name_of(Precision precision) {
  switch (precision) {
    case Precision::Fp32:
      return "float32";
    case Precision::Bf16:
      return "bfloat16";
    case Precision::Fp16:
      return "float16";
  }
  throw std::logic_error("no such precision");
}

}  // namespace

std::string describe_products(c10::DeviceType device, Precision precision) {
  const bool slow = rounds_products(device, precision) && !nn::has_fast_rounded_products();
  const bool ours = device == c10::kCPU && precision != Precision::Fp16 && nn::has_gemm<float>();
  // Some of LibTorch's CUDA kernels add atomically, in another order each time. No difference was seen:
  // docs/guide/devices.md.
  const bool unordered = device == c10::kCUDA;
  return fmt::format(
      "{} matrix multiplications{} by {}{}", name_of(precision), slow ? ", multiplied as float32," : "",
      ours ? "oneDNN" : "LibTorch",
      unordered ? "; CUDA may add in another order after resuming, so that bit-identical results are not guaranteed"
                : "");
}

PrecisionScope::PrecisionScope(c10::DeviceType device, Precision precision, nn::RoundedWeights* weights)
    : device_(device),
      rounded_(rounds_products(device, precision), weights),
      autocast_(precision != Precision::Fp32 && !rounds_products(device, precision)) {
  if (!autocast_) return;
  was_enabled_ = at::autocast::is_autocast_enabled(device_);
  previous_ = at::autocast::get_autocast_dtype(device_);
  at::autocast::increment_nesting();
  at::autocast::set_autocast_dtype(device_, precision == Precision::Bf16 ? c10::kBFloat16 : c10::kHalf);
  at::autocast::set_autocast_enabled(device_, true);
}

PrecisionScope::~PrecisionScope() {
  if (!autocast_) return;
  at::autocast::set_autocast_enabled(device_, was_enabled_);
  at::autocast::set_autocast_dtype(device_, previous_);
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
}

AutocastPause::AutocastPause(c10::DeviceType device)
    : device_(device), was_enabled_(at::autocast::is_autocast_enabled(device)) {
  at::autocast::set_autocast_enabled(device_, false);
}

AutocastPause::~AutocastPause() { at::autocast::set_autocast_enabled(device_, was_enabled_); }

LossScaler::LossScaler(Precision precision) : active_(precision == Precision::Fp16) {
  if (active_) state_.scale = kFirstScale;
}

void LossScaler::succeeded() {
  if (!active_ || ++state_.good_steps < kGrowthInterval) return;
  state_ = {.scale = std::min(state_.scale * 2, kLargestScale)};
}

bool LossScaler::overflowed() {
  if (state_.scale <= 1) return false;
  state_ = {.scale = state_.scale / 2};
  return true;
}

}  // namespace heed::training
