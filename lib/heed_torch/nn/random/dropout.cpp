#include "heed_torch/nn/random/dropout.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_dropout_backward.h>
#include <torch/csrc/autograd/custom_function.h>

#include "heed/kernels/dropout_kernel.h"
#include "heed_torch/nn/random/random_draw.h"
#include "heed_torch/nn/random/random_scope.h"

namespace heed::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The mask's product with x on the CPU, plus residual if that is defined.
Tensor masked_on_cpu(const kernels::DropoutMask& mask, const Tensor& x, const Tensor& residual) {
  const at::ScalarType type = x.scalar_type();
  if (type != at::kFloat && type != at::kDouble && type != at::kBFloat16) {
    const Tensor added = residual.defined() ? residual.to(at::kFloat) : residual;
    return masked_on_cpu(mask, x.to(at::kFloat), added).to(type);
  }
  TORCH_CHECK(x.numel() <= kernels::DropoutMask::kMaxCount, "dropout takes at most 2^33 elements, not ", x.numel());
  TORCH_CHECK(!residual.defined() || residual.scalar_type() == type, "a residual must have the type of what is added");
  const Tensor from = x.contiguous();
  const Tensor added = residual.defined() ? residual.contiguous() : residual;
  Tensor result = at::empty(x.sizes(), from.options());
  const auto run = [&]<class T>(T*) {  // T: the type that the kernel uses
    const auto* source = static_cast<const T*>(from.const_data_ptr());
    const auto* addend = static_cast<const T*>(added.defined() ? added.const_data_ptr() : nullptr);
    auto* target = static_cast<T*>(result.mutable_data_ptr());
    const int64_t count = x.numel(), block = kernels::DropoutMask::kBlock;
    at::parallel_for(0, (count + block - 1) / block, /*grain_size=*/1024, [&](int64_t first, int64_t last) {
      kernels::apply_dropout(mask, source, addend, target, first * block, std::min(last * block, count));
    });
  };
  if (type == at::kFloat) run(static_cast<float*>(nullptr));
  if (type == at::kDouble) run(static_cast<double*>(nullptr));
  if (type == at::kBFloat16) run(static_cast<uint16_t*>(nullptr));
  return result;
}

kernels::DropoutMask saved_mask(const AutogradContext& context) {
  return {.key = static_cast<uint64_t>(context.saved_data.at("key").toInt()),
          .threshold = static_cast<uint32_t>(context.saved_data.at("threshold").toInt())};
}

void save_mask(AutogradContext& context, const kernels::DropoutMask& mask) {
  context.saved_data["key"] = static_cast<int64_t>(mask.key);
  context.saved_data["threshold"] = static_cast<int64_t>(mask.threshold);
}

// Dropout is linear in x, so the backward pass is the same function.
struct CpuDropout : torch::autograd::Function<CpuDropout> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const kernels::DropoutMask& mask) {
    save_mask(*context, mask);
    return masked_on_cpu(mask, x, {});
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {apply(gradients[0], saved_mask(*context)), {}};
  }
};

struct CpuDropoutAdd : torch::autograd::Function<CpuDropoutAdd> {
  static Tensor forward(AutogradContext* context, const Tensor& residual, const Tensor& x,
                        const kernels::DropoutMask& mask) {
    save_mask(*context, mask);
    return masked_on_cpu(mask, x, residual);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {gradients[0], CpuDropout::apply(gradients[0], saved_mask(*context)), {}};
  }
};

// x * kept * scale in one kernel, which LibTorch has except for meta tensors.
Tensor masked(const Tensor& x, const Tensor& kept, double scale) {
  return x.is_meta() ? x.mul(kept).mul(scale) : at::native_dropout_backward(x, kept, scale);
}

// Dropout with the mask of a torch generator, which is stored.
struct DeviceDropout : torch::autograd::Function<DeviceDropout> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const kernels::DropoutMask& mask) {
    Tensor kept = at::empty(x.sizes(), x.options().dtype(at::kBool));
    if (!x.is_meta()) kept.bernoulli_(mask.keep(), keyed_generator(x.device(), mask.key));
    context->save_for_backward({kept});
    context->saved_data["scale"] = mask.scale();
    return masked(x, kept, mask.scale());
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const double scale = context->saved_data.at("scale").toDouble();
    return {masked(gradients[0], context->get_saved_variables()[0], scale), {}};
  }
};

bool is_identity(const Tensor& x, double probability, bool training) {
  TORCH_CHECK(probability >= 0 && probability < 1, "a dropout probability must be in [0, 1), not ", probability);
  TORCH_CHECK(x.is_floating_point(), "dropout needs floating-point numbers, not ", x.scalar_type());
  return !training || probability == 0;
}

}  // namespace

Tensor dropout(const Tensor& x, double probability, bool training) {
  if (is_identity(x, probability, training)) return x;
  const auto mask = kernels::DropoutMask::with_probability(next_draw_key(), probability);
  return x.is_cpu() ? CpuDropout::apply(x, mask) : DeviceDropout::apply(x, mask);
}

Tensor word_dropout(const Tensor& x, double probability, bool training) {
  if (is_identity(x, probability, training)) return x;
  const Tensor noise = uniform_noise(at::empty(x.sizes().slice(0, x.dim() - 1), x.options().dtype(at::kFloat)));
  return x * (noise >= probability).unsqueeze(-1).to(x.scalar_type());
}

Tensor dropout_add(const Tensor& residual, const Tensor& x, double probability, bool training) {
  TORCH_CHECK(residual.sizes() == x.sizes(), "`residual` must have the shape of `x`, ", x.sizes(), ", not ",
              residual.sizes());
  if (is_identity(x, probability, training)) return residual + x;
  if (!x.is_cpu() || residual.scalar_type() != x.scalar_type()) return residual + nn::dropout(x, probability, training);
  return CpuDropoutAdd::apply(residual, x, kernels::DropoutMask::with_probability(next_draw_key(), probability));
}

}  // namespace heed::nn
