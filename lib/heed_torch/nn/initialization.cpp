#include "heed_torch/nn/initialization.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include "heed/core/random.h"

namespace heed::nn {
namespace {

// FNV-1a, a hash of the name that is the same on every platform.
uint64_t name_key(const std::string& name) {
  uint64_t key = 0xcbf29ce484222325ULL;
  for (const char c : name) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return key;
}

// Uniform in [-size, size), or normal with standard deviation size.
struct Values {
  bool uniform;
  double size;
};

Values values_of(const InitialDistribution& distribution, int64_t rows, int64_t columns) {
  const auto fans = static_cast<double>(rows + columns);
  if (const auto* xavier = std::get_if<XavierUniform>(&distribution)) return {true, xavier->gain * std::sqrt(6 / fans)};
  if (const auto* xavier = std::get_if<XavierNormal>(&distribution)) return {false, xavier->gain * std::sqrt(2 / fans)};
  if (const auto* normal = std::get_if<Normal>(&distribution)) return {false, normal->deviation};
  return {false, 1 / std::sqrt(static_cast<double>(columns))};
}

// Element i uses draw i (uniform), or the draws 2 floor(i / 2) and the next one (normal). So threads can share the
// work.
void fill_range(float* data, int64_t begin, int64_t end, int64_t count, Values values, RandomStream random) {
  random.seek(static_cast<uint64_t>(begin));
  if (values.uniform) {
    for (int64_t i = begin; i < end; ++i) data[i] = static_cast<float>((2 * random.uniform() - 1) * values.size);
    return;
  }
  for (int64_t i = begin; i < end; i += 2) {  // Box and Muller 1958
    const double radius = values.size * std::sqrt(-2 * std::log(1 - random.uniform()));
    const double angle = 2 * std::numbers::pi * random.uniform();
    data[i] = static_cast<float>(radius * std::cos(angle));
    if (i + 1 < count) data[i + 1] = static_cast<float>(radius * std::sin(angle));
  }
}

void fill(float* data, int64_t count, Values values, const RandomStream& random) {
  constexpr int64_t kBlock = 4096;  // must be even
  at::parallel_for(0, (count + kBlock - 1) / kBlock, 1, [&](int64_t first, int64_t last) {
    fill_range(data, first * kBlock, std::min(last * kBlock, count), count, values, random);
  });
}

}  // namespace

void Initializer::weight(const std::string& name, const Tensor& parameter, int64_t stacked) {
  draw(name, parameter, stacked, options_.weights);
}

void Initializer::last_weight(const std::string& name, const Tensor& parameter) {
  options_.zero_branches ? constant(name, parameter, 0) : weight(name, parameter);
}

void Initializer::embedding(const std::string& name, const Tensor& parameter) {
  draw(name, parameter, 1, options_.embeddings);
}

void Initializer::gaussian(const std::string& name, const Tensor& parameter, double deviation) {
  draw(name, parameter, 1, Normal{deviation});
}

void Initializer::constant(const std::string& name, const Tensor& parameter, double value) {
  const at::NoGradGuard no_grad;
  parameter.fill_(value);
  done_.insert(prefix_ + name);
}

void Initializer::draw(const std::string& name, const Tensor& parameter, int64_t stacked,
                       const InitialDistribution& distribution) {
  TORCH_CHECK(parameter.dim() == 2 && parameter.size(0) % stacked == 0, "`", prefix_, name, "` must be ", stacked,
              " matrices on top of each other, not ", parameter.sizes());
  const std::string full_name = prefix_ + name;
  done_.insert(full_name);
  if (parameter.is_meta()) return;
  const int64_t rows = parameter.size(0) / stacked;
  const int64_t columns = parameter.size(1);
  Tensor drawn = at::empty(parameter.sizes(), at::kFloat);
  for (int64_t i = 0; i < stacked; ++i) {
    fill(drawn.mutable_data_ptr<float>() + i * rows * columns, rows * columns, values_of(distribution, rows, columns),
         RandomStream(seed_, Purpose::Initialization, name_key(full_name), static_cast<uint64_t>(i)));
  }
  const at::NoGradGuard no_grad;
  parameter.copy_(drawn);
}

void initialize(torch::nn::Module& model, const InitializationOptions& options, uint64_t seed) {
  Initializer values(options, seed);
  const auto visit = [&values](const std::string& path, torch::nn::Module& module) {
    values.prefix_ = path.empty() ? path : path + ".";
    if (auto* initialized = dynamic_cast<Initialized*>(&module)) initialized->initialize(values);
  };
  visit("", model);
  for (const auto& entry : model.named_modules("", /*include_self=*/false)) visit(entry.key(), *entry.value());
  for (const auto& entry : model.named_parameters()) {
    TORCH_CHECK(values.done_.contains(entry.key()), "`", entry.key(),
                "` has no initial value: its module must implement nn::Initialized and name it");
  }
}

}  // namespace heed::nn
