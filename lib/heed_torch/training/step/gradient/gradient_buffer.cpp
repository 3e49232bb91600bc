#include "heed_torch/training/step/gradient/gradient_buffer.h"

#include <array>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace heed::training {
GradientBuffer::GradientBuffer(const std::vector<Tensor>& parameters) {
  const FlatLayout layout(parameters);
  flat_ = at::zeros({layout.size()}, parameters[0].options().requires_grad(false));
  for (size_t i = 0; i < parameters.size(); ++i) {
    views_.push_back(flat_.narrow(0, layout.begins()[i], parameters[i].numel()).view(parameters[i].sizes()));
  }
}

void GradientBuffer::attach(const std::vector<Tensor>& parameters) const {
  for (size_t i = 0; i < parameters.size(); ++i) parameters[i].mutable_grad() = views_[i];
}

Tensor chunk_norms(const Tensor& flat) {
  const at::NoGradGuard no_grad;
  constexpr std::array<int64_t, 1> rows{1};
  return at::linalg_vector_norm(flat.view({-1, kNormChunk}), 2, rows).to(at::kDouble);
}

Tensor norm_of_chunks(Tensor norms) {
  const at::NoGradGuard no_grad;
  while (norms.numel() > 1) {
    const int64_t missing = (kNormChunk - norms.numel() % kNormChunk) % kNormChunk;
    norms = chunk_norms(at::constant_pad_nd(norms, {0, missing}));
  }
  return norms.squeeze();
}

std::shared_ptr<GradientBuffer> GradientPool::take() {
  std::unique_ptr<GradientBuffer> buffer;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      buffer = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (buffer) {
    buffer->zero();
  } else {
    buffer = std::make_unique<GradientBuffer>(parameters_);
  }
  return {buffer.release(), [this](GradientBuffer* held) { give_back(std::unique_ptr<GradientBuffer>(held)); }};
}

void GradientPool::give_back(std::unique_ptr<GradientBuffer> buffer) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(buffer));
}

}  // namespace heed::training
