// Random noise for layers, as a function of the open nn::RandomScope.
#pragma once

#include <cstdint>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// This thread's generator of `device`, seeded with `key`: valid until the thread's next call.
at::Generator keyed_generator(at::Device device, uint64_t key);

/// Independent values of the standard Gumbel distribution, of the shape, dtype and device of `like`: the arg-max of
/// log p + noise is a sample of p (Gumbel 1954). Takes one draw of the open RandomScope.
Tensor gumbel_noise(const Tensor& like);

/// Independent values of the uniform distribution on [0, 1), likewise.
Tensor uniform_noise(const Tensor& like);

}  // namespace heed::nn
