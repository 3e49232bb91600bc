#include "heed/training/update/gradient_buffer.h"

#include <array>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace heed::training {
namespace {

/// Of the norm, in elements. LibTorch shares the sum of more than 32,768 elements to a single number among its threads.
constexpr int64_t kChunk = 16'384;

constexpr int64_t rounded_up(int64_t size, int64_t unit) { return (size + unit - 1) / unit * unit; }

}  // namespace

GradientBuffer::GradientBuffer(const std::vector<Tensor>& parameters) {
  TORCH_CHECK(!parameters.empty(), "no parameter to take gradients of");
  int64_t size = 0;
  for (const Tensor& parameter : parameters) size += rounded_up(parameter.numel(), kGradientAlignment);
  flat_ = at::zeros({rounded_up(size, kChunk)}, parameters[0].options().requires_grad(false));
  int64_t begin = 0;
  for (const Tensor& parameter : parameters) {
    views_.push_back(flat_.narrow(0, begin, parameter.numel()).view(parameter.sizes()));
    begin += rounded_up(parameter.numel(), kGradientAlignment);
  }
}

void GradientBuffer::attach(const std::vector<Tensor>& parameters) const {
  for (size_t i = 0; i < parameters.size(); ++i) parameters[i].mutable_grad() = views_[i];
}

Tensor gradient_norm(const Tensor& flat) {
  const at::NoGradGuard no_grad;
  constexpr std::array<int64_t, 1> rows{1};
  Tensor norms = at::linalg_vector_norm(flat.view({-1, kChunk}), 2, rows).to(at::kDouble);
  while (norms.numel() > 1) {
    const int64_t missing = rounded_up(norms.numel(), kChunk) - norms.numel();
    norms = at::linalg_vector_norm(at::constant_pad_nd(norms, {0, missing}).view({-1, kChunk}), 2, rows);
  }
  return norms.squeeze();
}

std::unique_ptr<GradientBuffer> GradientPool::take() {
  std::unique_ptr<GradientBuffer> buffer;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      buffer = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!buffer) return std::make_unique<GradientBuffer>(parameters_);
  buffer->zero();
  return buffer;
}

void GradientPool::give_back(std::unique_ptr<GradientBuffer> buffer) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(buffer));
}

}  // namespace heed::training
