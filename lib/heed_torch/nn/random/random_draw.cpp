#include "heed_torch/nn/random/random_draw.h"

#include <mutex>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/empty_like.h>

#include "heed_torch/nn/random/random_scope.h"

namespace heed::nn {
namespace {

// An exponential variable can be 0, whose logarithm is infinite.
constexpr double kLeast = 1e-30;

at::Generator new_generator(at::Device device) {
  if (device.is_cpu()) return at::detail::createCPUGenerator();
  return at::globalContext().getAcceleratorHooksInterface(device.type()).getNewGenerator(device.index());
}

}  // namespace

at::Generator keyed_generator(at::Device device, uint64_t key) {
  thread_local at::Generator generator;  // creating a generator costs more than a draw
  if (!generator.defined() || generator.device() != device) generator = new_generator(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(key);
  return generator;
}

Tensor gumbel_noise(const Tensor& like) {
  const uint64_t key = next_draw_key();
  Tensor noise = at::empty_like(like);
  if (noise.is_meta()) return noise;
  return noise.exponential_(1, keyed_generator(like.device(), key)).clamp_min_(kLeast).log_().neg_();
}

Tensor uniform_noise(const Tensor& like) {
  const uint64_t key = next_draw_key();
  Tensor noise = at::empty_like(like);
  return noise.is_meta() ? noise : noise.uniform_(0, 1, keyed_generator(like.device(), key));
}

}  // namespace heed::nn
