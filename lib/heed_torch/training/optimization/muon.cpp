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
        add_matrix(i, zeros("momentum", i));
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
    const bool rounds = nn::rounds_products();
    call_in_parallel(batches_.size(), parameters_[0].is_cpu(), [&](size_t batch) {
      const nn::RoundedProducts rounded(rounds);  // each thread has its own setting
      step_batch(learning_rate, gradient, batches_[batch]);
    });
  }

 private:
  /// Matrices whose step is computed at once: one on a CPU, on which each thread takes one, otherwise all of one shape.
  struct Batch {
    std::vector<size_t> matrices;  // their numbers in parameters_
    std::vector<Tensor> momentum;
  };

  void add_matrix(size_t matrix, const Tensor& momentum) {
    const auto fits = [&](const Batch& batch) {
      return !momentum.is_cpu() && batch.momentum[0].sizes() == momentum.sizes();
    };
    auto batch = std::ranges::find_if(batches_, fits);
    if (batch == batches_.end()) batch = batches_.insert(batch, Batch{});
    batch->matrices.push_back(matrix);
    batch->momentum.push_back(momentum);
  }

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

  void step_batch(double learning_rate, const std::vector<Tensor>& gradients, const Batch& batch) const {
    std::vector<Tensor> parameter, gradient;
    for (const size_t i : batch.matrices) {
      parameter.push_back(parameters_[i]);
      gradient.push_back(gradients[i]);
    }
    at::_foreach_mul_(batch.momentum, options_.momentum);
    at::_foreach_add_(batch.momentum, gradient);
    const std::vector<Tensor> u =
        options_.nesterov ? at::_foreach_add(gradient, batch.momentum, options_.momentum) : batch.momentum;
    const auto longest = static_cast<double>(std::max(u[0].size(0), u[0].size(1)));
    at::_foreach_mul_(parameter, 1 - learning_rate * options_.weight_decay);
    at::_foreach_add_(parameter, orthogonal(at::stack(u)).unbind(), -learning_rate * 0.2 * std::sqrt(longest));
  }

  MuonOptions options_;
  std::vector<Batch> batches_;         // of all matrices
  std::vector<size_t> others_;         // their numbers in parameters_
  std::vector<Tensor> mean_, square_;  // of each of others_
};

/// The matrices that products of this scope read.
Tensor operand(const Tensor& x) { return nn::as_operand(x.flatten(0, 1)).view_as(x); }

/// a b^T of each pair. a, b: operands [matrices, M, K] and [matrices, N, K].
Tensor products(const Tensor& a, const Tensor& b) {
  if (!a.is_cpu()) return at::bmm(a, b.mT());
  const Tensor result = at::empty({a.size(0), a.size(1), b.size(1)}, a.options().dtype(at::kFloat));
  for (int64_t i = 0; i < a.size(0); ++i) nn::assign_product(result[i], a[i], b[i]);
  return result;
}

}  // namespace

Tensor orthogonal(const Tensor& u) {
  constexpr double kLinear = 3.4445, kCubic = -4.7750, kQuintic = 2.0315, kTiny = 1e-7;
  constexpr int kIterations = 5;
  const bool is_high = u.size(1) > u.size(2);
  const Tensor wide = (is_high ? u.mT() : u).contiguous();
  Tensor x = wide / (at::linalg_vector_norm(wide, 2, {1, 2}, /*keepdim=*/true) + kTiny);
  for (int i = 0; i < kIterations; ++i) {
    const Tensor rounded = operand(x), square = products(rounded, rounded);  // x x^T, symmetric
    const Tensor of_square = operand(square), fourth = products(of_square, of_square);
    const Tensor factor = square.mul(kCubic).add_(fourth, kQuintic);
    x = products(operand(factor), rounded.mT()).add(x, kLinear);
  }
  return is_high ? x.mT() : x;
}

std::unique_ptr<UnshardedOptimizer> make(const MuonOptions& options, const NamedParameters& parameters) {
  return std::make_unique<Muon>(options, parameters);
}

}  // namespace heed::training
