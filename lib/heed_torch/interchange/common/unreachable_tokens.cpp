#include "heed_torch/interchange/common/unreachable_tokens.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "heed/text/tokenizer.h"

namespace heed::interchange {
namespace {

constexpr double kFarBelow = kNeverProduced / 2;

}  // namespace

bool is_out_of_reach(const checkpoint::NamedTensors& tensors, int64_t id) {
  const auto bias = tensors.find("output.bias");
  if (bias == tensors.end()) return false;
  const auto output = tensors.find("output.weight");
  const at::Tensor& matrix = output == tensors.end() ? tensors.at("decoder.embedding.weight") : output->second;
  const at::Tensor& numbers = bias->second;
  const double lowest = std::min(numbers[text::kUnk].item<double>(), numbers.slice(0, text::kEos).min().item<double>());
  return !matrix[id].ne(0).any().item<bool>() && numbers[id].item<double>() <= lowest + kFarBelow;
}

}  // namespace heed::interchange
