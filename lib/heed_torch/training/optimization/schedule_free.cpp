#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <ATen/ATen.h>

#include "heed_torch/training/optimization/parallel_step.h"
#include "heed_torch/training/optimization/unsharded_optimizer.h"

namespace heed::training {
namespace {

/// The parameters are y, the average is x.
class ScheduleFree : public UnshardedOptimizer {
 public:
  ScheduleFree(const ScheduleFreeOptions& options, const NamedParameters& parameters)
      : UnshardedOptimizer(parameters),
        options_(options),
        z_(add_slot("z")),
        square_(add_slot("square")),
        squared_rates_(add_state("squared-rates", at::zeros({}, at::kFloat))) {
    begin_average();
    for (size_t i = 0; i < z_.size(); ++i) z_[i].copy_(parameters_[i].detach());
  }

  void update(double learning_rate) override {
    const double squared = learning_rate * learning_rate;
    squared_rates_.add_(squared);
    const double sum = squared_rates_.item<float>();
    const double share = sum > 0 ? std::min(1.0, squared / sum) : 0;  // c
    const double correction = std::sqrt(1 - std::pow(options_.beta2, static_cast<double>(count())));
    step_in_parallel(parameters_, [&, gradient = gradients()](const ParameterPieces& pieces) {
      const std::vector<Tensor> y = pieces.of(parameters_), g = pieces.of(gradient), z = pieces.of(z_),
                                x = pieces.of(average_), square = pieces.of(square_);
      at::_foreach_mul_(square, options_.beta2);
      at::_foreach_addcmul_(square, g, g, 1 - options_.beta2);
      const std::vector<Tensor> divisor = at::_foreach_sqrt(square);
      at::_foreach_div_(divisor, correction);
      at::_foreach_add_(divisor, options_.epsilon);
      if (options_.weight_decay > 0) at::_foreach_add_(z, y, -learning_rate * options_.weight_decay);
      at::_foreach_addcdiv_(z, g, divisor, -learning_rate);
      at::_foreach_lerp_(x, z, share);
      at::_foreach_copy_(y, z);
      at::_foreach_lerp_(y, x, options_.beta1);
    });
  }

 private:
  ScheduleFreeOptions options_;
  std::vector<Tensor> z_, square_;
  Tensor squared_rates_;  // float scalar on the CPU: the sum over all steps
};

}  // namespace

std::unique_ptr<UnshardedOptimizer> make(const ScheduleFreeOptions& options, const NamedParameters& parameters) {
  return std::make_unique<ScheduleFree>(options, parameters);
}

}  // namespace heed::training
