// Random noise for layers, determined by the open nn::RandomScope.
#pragma once

#include <cstdint>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// This thread's generator for `device`, seeded with `key`; valid until the thread's next call.
at::Generator keyed_generator(at::Device device, uint64_t key);

/// Independent samples of the standard Gumbel distribution, with the shape, dtype and device of `like`. The arg-max of
/// log p + noise is a sample of p (Gumbel 1954). Takes one draw of the open RandomScope.
Tensor gumbel_noise(const Tensor& like);

/// Independent samples of the uniform distribution on [0, 1), likewise.
Tensor uniform_noise(const Tensor& like);

}  // namespace heed::nn
