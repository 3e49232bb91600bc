#include "heed_torch/training/optimization/muon.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "heed_torch/nn/products/product.h"
#include "heed_torch/training/optimization/parallel_step.h"
#include "heed_torch/training/optimization/unsharded_optimizer.h"

namespace heed::training {
namespace {

/// Whether a parameter is the matrix of a linear layer other than the output layer.
bool is_of_linear(const std::string& name, const Tensor& parameter) {
  if (parameter.dim() != 2 || parameter.size(0) == 1 || parameter.size(1) == 1) return false;
  const auto contains = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  return name.ends_with(".weight") && !name.starts_with("output.") && !contains("embedding.") &&
         !contains("positions.");
}

class Muon : public UnshardedOptimizer {
 public:
  Muon(const MuonOptions& options, const NamedParameters& parameters)
      : UnshardedOptimizer(parameters), options_(options) {
    const auto zeros = [&](const std::string& slot, size_t i) {
      return add_state(slot + "/" + parameters[i].first, at::zeros_like(parameters[i].second.detach()));
    };
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (is_of_linear(parameters[i].first, parameters[i].second)) {
        matrices_.push_back(i);
        momentum_.push_back(zeros("momentum", i));
      } else {
        others_.push_back(i);
        mean_.push_back(zeros("mean", i));
        square_.push_back(zeros("square", i));
      }
    }
  }

  void update(double learning_rate) override {
    const std::vector<Tensor> gradient = gradients();
    if (!others_.empty()) step_others(learning_rate, gradient);
    call_in_parallel(matrices_.size(), parameters_[0].is_cpu(), [&](size_t matrix) {
      step_matrix(learning_rate, parameters_[matrices_[matrix]], gradient[matrices_[matrix]], momentum_[matrix]);
    });
  }

 private:
  void step_others(double learning_rate, const std::vector<Tensor>& gradients) const {
    std::vector<Tensor> parameter, gradient;
    for (const size_t i : others_) {
      parameter.push_back(parameters_[i]);
      gradient.push_back(gradients[i]);
    }
    step_in_parallel(parameter, [&](const ParameterPieces& pieces) {
      at::_fused_adamw_(pieces.of(parameter), pieces.of(gradient), pieces.of(mean_), pieces.of(square_),
                        std::vector<Tensor>{}, steps(pieces), learning_rate, options_.beta1, options_.beta2,
                        options_.weight_decay, options_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
    });
  }

  void step_matrix(double learning_rate, const Tensor& parameter, const Tensor& gradient,
                   const Tensor& momentum) const {
    momentum.mul_(options_.momentum).add_(gradient);
    const Tensor u = options_.nesterov ? at::add(gradient, momentum, options_.momentum) : momentum;
    const auto longest = static_cast<double>(std::max(parameter.size(0), parameter.size(1)));
    parameter.mul_(1 - learning_rate * options_.weight_decay);
    parameter.add_(orthogonal(u), -learning_rate * 0.2 * std::sqrt(longest));
  }

  MuonOptions options_;
  std::vector<size_t> matrices_, others_;  // their numbers in parameters_
  std::vector<Tensor> momentum_;           // of each of matrices_
  std::vector<Tensor> mean_, square_;      // of each of others_
};

}  // namespace

Tensor orthogonal(const Tensor& u) {
  constexpr double kLinear = 3.4445, kCubic = -4.7750, kQuintic = 2.0315, kTiny = 1e-7;
  constexpr int kIterations = 5;
  const bool is_high = u.size(0) > u.size(1);
  const Tensor wide = (is_high ? u.t() : u).contiguous();
  Tensor x = wide / (wide.norm() + kTiny);
  for (int i = 0; i < kIterations; ++i) {
    const Tensor square = nn::product(x, x);  // x x^T, symmetric
    const Tensor factor = at::mul(square, kCubic);
    const Tensor fourth = nn::product(square, square);
    factor.add_(fourth, kQuintic);
    const Tensor next = at::mul(x, kLinear);
    nn::add_product(next, factor, x.t());
    x = next;
  }
  return is_high ? x.t() : x;
}

std::unique_ptr<UnshardedOptimizer> make(const MuonOptions& options, const NamedParameters& parameters) {
  return std::make_unique<Muon>(options, parameters);
}

}  // namespace heed::training
