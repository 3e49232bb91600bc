#include "heed_torch/nn/norm.h"

#include <ATen/ops/layer_norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/zeros.h>

namespace heed::nn {

NormImpl::NormImpl(const NormOptions& options) : options_(options) {
  TORCH_CHECK(options.d_model > 0, "`d_model` must be positive, not ", options.d_model);
  TORCH_CHECK(options.epsilon > 0, "`epsilon` must be positive, not ", options.epsilon);
  if (options.kind == NormKind::None) return;
  weight = register_parameter("weight", at::ones({options.d_model}));
  if (options.kind == NormKind::Layer) bias = register_parameter("bias", at::zeros({options.d_model}));
}

Tensor NormImpl::forward(const Tensor& x) {
  TORCH_CHECK(x.dim() > 0 && x.size(-1) == options_.d_model, "`x` must be [..., ", options_.d_model, "], not ",
              x.sizes());
  switch (options_.kind) {
    case NormKind::Layer:
      return at::layer_norm(x, {options_.d_model}, weight, bias, options_.epsilon);
    case NormKind::Rms:
      return at::rms_norm(x, {options_.d_model}, weight, options_.epsilon).to(x.scalar_type());
    case NormKind::None:
      break;
  }
  return x;
}

void NormImpl::initialize(Initializer& values) {
  if (weight.defined()) values.constant("weight", weight, 1);
  if (bias.defined()) values.constant("bias", bias, 0);
}

}  // namespace heed::nn
