#include "heed_torch/nn/lora.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/StringUtil.h>

#include "heed/core/error.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/products/product.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::nn {
namespace {

constexpr auto kMaps = std::to_array<std::string_view>({"query", "key", "value", "output", "feed-forward"});

/// Calls visit(linear) for every adapted layer.
template <class Visit>
void visit_adapted(const torch::nn::Module& model, const Visit& visit) {
  for (const auto& module : model.modules()) {
    auto* linear = dynamic_cast<LinearImpl*>(module.get());
    if (linear != nullptr && linear->lora) visit(*linear);
  }
}

}  // namespace

bool LoraOptions::adapts(std::string_view map) const { return std::ranges::find(maps, map) != maps.end(); }

void validate(const LoraOptions& options) {
  constexpr const char* kOption = "train.adapter.target-modules";
  if (options.maps.empty()) throw ConfigError(kOption, "must name projections, but is empty");
  for (size_t i = 0; i < options.maps.size(); ++i) {
    const std::string& map = options.maps[i];
    if (std::ranges::find(kMaps, map) == kMaps.end()) {
      throw ConfigError(kOption, c10::str("must be some of ", c10::Join(", ", kMaps), ", but one is `", map, "`"));
    }
    if (std::find(options.maps.begin(), options.maps.begin() + static_cast<std::ptrdiff_t>(i), map) !=
        options.maps.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw ConfigError(kOption, c10::str("names `", map, "` twice"));
    }
  }
}

LoraImpl::LoraImpl(const LoraOptions& options, const AdaptedMap& map) : options_(options), map_(map) {
  TORCH_CHECK(!map.adapted.empty() && map.adapted.back() < map.stacked, "`adapted` must name some of ", map.stacked,
              " maps");
  const auto count = static_cast<int64_t>(map.adapted.size());
  down = register_parameter("down", at::zeros({count * options.rank, map.in}));
  up = register_parameter("up", at::zeros({count * map.width, options.rank}));
  base = register_buffer("base", at::zeros({map.stacked * map.width, map.in}));
}

Tensor LoraImpl::down_of(int64_t i) const { return down.narrow(0, i * options_.rank, options_.rank); }
Tensor LoraImpl::up_of(int64_t i) const { return up.narrow(0, i * map_.width, map_.width); }

Tensor LoraImpl::forward(const Tensor& x) {
  const Tensor read = nn::dropout(x, options_.dropout, is_training());
  const Tensor low = affine(read, down) * options_.scale();  // [..., adapted * r]
  std::vector<Tensor> parts;
  int64_t done = 0;
  for (int64_t i = 0; i < map_.stacked; ++i) {
    if (done < std::ssize(map_.adapted) && map_.adapted[static_cast<size_t>(done)] == i) {
      parts.push_back(affine(low.narrow(-1, done * options_.rank, options_.rank), up_of(done)));  // [..., width]
      ++done;
    } else {
      auto shape = low.sizes().vec();
      shape.back() = map_.width;
      parts.push_back(at::zeros(shape, low.options()));
    }
  }
  return parts.size() == 1 ? parts[0] : at::cat(parts, -1);
}

void LoraImpl::merge_into(const Tensor& weight) const {
  const at::NoGradGuard no_grad;
  weight.copy_(base);
  for (int64_t i = 0; i < std::ssize(map_.adapted); ++i) {
    weight.narrow(0, map_.adapted[static_cast<size_t>(i)] * map_.width, map_.width)
        .addmm_(up_of(i), down_of(i), /*beta=*/1, options_.scale());
  }
}

void LoraImpl::initialize(Initializer& values) {
  values.gaussian("down", down, 1 / std::sqrt(static_cast<double>(map_.in)));
  values.constant("up", up, 0);
}

int64_t add_lora(torch::nn::Module& model, const LoraOptions& options) {
  for (const Tensor& parameter : model.parameters()) parameter.set_requires_grad(false);
  int64_t maps = 0;
  for (const auto& module : model.modules()) {
    if (auto* host = dynamic_cast<LoraHost*>(module.get())) maps += host->add_lora(options);
  }
  return maps;
}

void keep_lora_bases(torch::nn::Module& model) {
  const at::NoGradGuard no_grad;
  visit_adapted(model, [](LinearImpl& linear) { linear.lora->base.copy_(linear.weight); });
}

void merge_lora(torch::nn::Module& model) {
  visit_adapted(model, [](LinearImpl& linear) { linear.lora->merge_into(linear.weight); });
}

void remove_lora(torch::nn::Module& model) {
  visit_adapted(model, [](LinearImpl& linear) { linear.remove_adapter(); });
}

std::optional<LoraOptions> lora_of(const torch::nn::Module& model) {
  std::optional<LoraOptions> options;
  visit_adapted(model, [&](const LinearImpl& linear) { options = linear.lora->options(); });
  return options;
}

bool is_of_lora(std::string_view name) { return name.find(".lora.") != std::string_view::npos; }

}  // namespace heed::nn
