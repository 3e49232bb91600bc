#include "heed_torch/interchange/ctranslate2/dequantize.h"

#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::interchange {
namespace {

using at::Tensor;

bool fits(const Tensor& weight, const Tensor& scale) {
  if (!scale.is_floating_point() || scale.dim() > 1) return false;
  return scale.numel() == 1 || (scale.dim() == 1 && weight.dim() > 0 && scale.size(0) == weight.size(0));
}

Tensor dequantized(const Tensor& weight, const Tensor& scale) {
  std::vector<int64_t> per_row(static_cast<size_t>(weight.dim()), 1);
  if (scale.numel() > 1) per_row[0] = -1;
  return weight.to(at::kFloat) / scale.to(at::kFloat).view(per_row);
}

}  // namespace

void dequantize(checkpoint::NamedTensors& tensors, const std::string& path) {
  for (auto& [name, tensor] : tensors) {
    const auto scale = tensors.find(name + "_scale");
    if (scale == tensors.end() || (tensor.scalar_type() != at::kChar && tensor.scalar_type() != at::kShort)) continue;
    if (!fits(tensor, scale->second)) {
      throw CheckpointError(path, fmt::format("`{}` does not fit the quantized `{}`", scale->first, name));
    }
    if (!scale->second.gt(0).all().item<bool>()) {
      throw CheckpointError(path, fmt::format("`{}` must be above 0", scale->first));
    }
    tensor = dequantized(tensor, scale->second);
    tensors.erase(scale);
  }
}

}  // namespace heed::interchange
