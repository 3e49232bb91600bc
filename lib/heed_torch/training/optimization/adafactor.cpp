#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "heed_torch/training/optimization/parallel_step.h"
#include "heed_torch/training/optimization/unsharded_optimizer.h"

namespace heed::training {
namespace {

/// Root mean square, a scalar tensor.
Tensor rms(const Tensor& x) { return x.norm() / std::sqrt(static_cast<double>(x.numel())); }

class Adafactor : public UnshardedOptimizer {
 public:
  Adafactor(const AdafactorOptions& options, const NamedParameters& parameters)
      : UnshardedOptimizer(parameters), options_(options) {
    for (const auto& [name, parameter] : parameters) {
      const auto zeros = [&](const std::string& slot, at::IntArrayRef shape) {
        return add_state(slot + "/" + name, at::zeros(shape, parameter.options().requires_grad(false)));
      };
      const bool is_matrix = parameter.dim() == 2;
      means_.push_back(is_matrix
                           ? Means{.row = zeros("row", parameter.size(0)), .column = zeros("column", parameter.size(1))}
                           : Means{.element = zeros("square", parameter.sizes())});
    }
  }

  void update(double learning_rate) override {
    const std::vector<Tensor> gradient = gradients();
    call_in_parallel(parameters_.size(), parameters_[0].is_cpu(),
                     [&](size_t i) { step_parameter(learning_rate, parameters_[i], gradient[i], means_[i]); });
  }

 private:
  /// Mean squares of gradients: of the rows and columns of a matrix, or of each element.
  struct Means {
    Tensor row = {}, column = {}, element = {};
  };

  void step_parameter(double learning_rate, const Tensor& parameter, const Tensor& gradient, const Means& means) const {
    const Tensor u = scaled(gradient, means);
    u.div_(rms(u).div_(options_.clip).clamp_min_(1));
    u.mul_(rms(parameter).clamp_min_(options_.minimum_scale));
    parameter.mul_(1 - learning_rate * options_.weight_decay);
    parameter.add_(u, -learning_rate);
  }

  /// g / sqrt(v)
  Tensor scaled(const Tensor& gradient, const Means& means) const {
    const double share = std::pow(static_cast<double>(count()), -options_.decay);  // 1 - b
    const Tensor square = at::mul(gradient, gradient).add_(options_.epsilon);
    if (means.element.defined()) return gradient * means.element.lerp_(square, share).rsqrt();
    means.row.lerp_(square.mean(1), share);
    means.column.lerp_(square.mean(0), share);
    const Tensor of_row = (means.row / means.row.mean()).rsqrt_().unsqueeze(1);
    return gradient * of_row * means.column.rsqrt().unsqueeze(0);
  }

  AdafactorOptions options_;
  std::vector<Means> means_;  // of each parameter
};

}  // namespace

std::unique_ptr<UnshardedOptimizer> make(const AdafactorOptions& options, const NamedParameters& parameters) {
  return std::make_unique<Adafactor>(options, parameters);
}

}  // namespace heed::training
