#include "heed_torch/training/optimization/optimizer.h"

#include <ATen/ATen.h>

#include "heed/core/error.h"
#include "heed_torch/training/optimization/parallel_step.h"
#include "heed_torch/training/optimization/unsharded_optimizer.h"

namespace heed::training {

namespace {

constexpr std::string_view kSquareHelp = "decay of the moving average of squared gradients";
constexpr std::string_view kEpsilonHelp = "epsilon, added to the denominator";
constexpr std::string_view kPenaltyHelp = "L2 penalty, added to the gradient; 0: off";
constexpr std::string_view kDecoupledHelp =
    "decoupled weight decay: share of a parameter lost per step at learning rate 1";
constexpr Bounds kDecay{.lowest = 0, .highest = 0.9999999};

template <class Options>
void describe_adam(Options& options, OptionVisitor& visit, std::string_view decay_help) {
  visit("beta1", options.beta1, "decay of the moving average of gradients", kDecay);
  visit("beta2", options.beta2, kSquareHelp, kDecay);
  visit("epsilon", options.epsilon, kEpsilonHelp, above(0));
  visit("weight-decay", options.weight_decay, decay_help, at_least(0));
}

}  // namespace

void describe(AdamOptions& options, OptionVisitor& visit) { describe_adam(options, visit, kPenaltyHelp); }

void describe(AdamWOptions& options, OptionVisitor& visit) { describe_adam(options, visit, kDecoupledHelp); }

void describe(SgdOptions& options, OptionVisitor& visit) {
  visit("momentum", options.momentum,
        "momentum: share of the last step that is added to the next; 0: plain gradient descent", kDecay);
  visit("nesterov", options.nesterov, "Nesterov momentum");
  visit("weight-decay", options.weight_decay, kPenaltyHelp, at_least(0));
}

void describe(AdagradOptions& options, OptionVisitor& visit) {
  visit("epsilon", options.epsilon, "epsilon, added to the denominator", above(0));
  visit("initial-accumulator", options.initial_accumulator, "initial sum of squared gradients", at_least(0));
  visit("weight-decay", options.weight_decay, kPenaltyHelp, at_least(0));
}

void describe(AdadeltaOptions& options, OptionVisitor& visit) {
  visit("rho", options.rho, "decay of the moving averages of squared gradients and squared steps", kDecay);
  visit("epsilon", options.epsilon, "epsilon, added under both roots", above(0));
  visit("weight-decay", options.weight_decay, kPenaltyHelp, at_least(0));
}

void describe(MuonOptions& options, OptionVisitor& visit) {
  visit("momentum", options.momentum, "momentum of the gradients of matrices", kDecay);
  visit("nesterov", options.nesterov, "Nesterov momentum");
  describe_adam(options, visit, kDecoupledHelp);
}

void describe(ScheduleFreeOptions& options, OptionVisitor& visit) {
  visit("beta1", options.beta1, "share of the average in the weights at which gradients are computed", kDecay);
  visit("beta2", options.beta2, kSquareHelp, kDecay);
  visit("epsilon", options.epsilon, kEpsilonHelp, above(0));
  visit("weight-decay", options.weight_decay, kDecoupledHelp, at_least(0));
}

void describe(AdafactorOptions& options, OptionVisitor& visit) {
  visit("decay", options.decay, "exponent of the decay of the mean squares: 1 - step^-decay", between(0, 1));
  visit("clip", options.clip, "largest root mean square of a parameter's step, before learning rate and scale",
        above(0));
  visit("epsilon", options.epsilon, "epsilon, added to squared gradients", above(0));
  visit("minimum-scale", options.minimum_scale,
        "lowest scale of a parameter's step; above that, its root mean square is the scale", above(0));
  visit("weight-decay", options.weight_decay, kDecoupledHelp, at_least(0));
}

const Tensor& Optimizer::saved_tensor(const std::map<std::string, Tensor>& saved, const std::string& name,
                                      at::IntArrayRef shape, const std::string& path) {
  const auto found = saved.find(name);
  if (found == saved.end()) throw CheckpointError(path, "has no tensor `" + name + "` of this optimizer");
  if (found->second.sizes() == shape) return found->second;
  throw CheckpointError(path,
                        c10::str("tensor `", name, "` must have shape ", shape, ", but has ", found->second.sizes()));
}

namespace {

void adam_kernel(const AdamOptions&, auto&&... arguments) { at::_fused_adam_(arguments...); }
void adam_kernel(const AdamWOptions&, auto&&... arguments) { at::_fused_adamw_(arguments...); }

/// Adam and AdamW differ in how the kernel applies the weight decay.
template <class Options>
class Adam : public UnshardedOptimizer {
 public:
  Adam(const Options& options, const NamedParameters& parameters)
      : UnshardedOptimizer(parameters), options_(options), mean_(add_slot("mean")), square_(add_slot("square")) {}

  void update(double learning_rate) override {
    step_in_parallel(parameters_, [&, gradient = gradients()](const ParameterPieces& pieces) {
      adam_kernel(options_, pieces.of(parameters_), pieces.of(gradient), pieces.of(mean_), pieces.of(square_),
                  std::vector<Tensor>{}, steps(pieces), learning_rate, options_.beta1, options_.beta2,
                  options_.weight_decay, options_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
    });
  }

 private:
  Options options_;
  std::vector<Tensor> mean_;
  std::vector<Tensor> square_;
};

class Sgd : public UnshardedOptimizer {
 public:
  Sgd(const SgdOptions& options, const NamedParameters& parameters)
      : UnshardedOptimizer(parameters), options_(options) {
    if (options.momentum > 0) momentum_ = add_slot("momentum");
  }

  void update(double learning_rate) override {
    step_in_parallel(parameters_, [&, gradient = gradients()](const ParameterPieces& pieces) {
      at::_fused_sgd_(pieces.of(parameters_), pieces.of(gradient), pieces.of(momentum_), options_.weight_decay,
                      options_.momentum, learning_rate, /*dampening=*/0, options_.nesterov, /*maximize=*/false,
                      /*is_first_step=*/count() == 1);
    });
  }

 private:
  SgdOptions options_;
  std::vector<Tensor> momentum_;
};

class Adagrad : public UnshardedOptimizer {
 public:
  Adagrad(const AdagradOptions& options, const NamedParameters& parameters)
      : UnshardedOptimizer(parameters), options_(options), sum_(add_slot("sum", options.initial_accumulator)) {}

  void update(double learning_rate) override {
    step_in_parallel(parameters_, [&, gradient = gradients()](const ParameterPieces& pieces) {
      at::_fused_adagrad_(pieces.of(parameters_), pieces.of(gradient), pieces.of(sum_), steps(pieces), learning_rate,
                          /*lr_decay=*/0, options_.weight_decay, options_.epsilon, /*maximize=*/false);
    });
  }

 private:
  AdagradOptions options_;
  std::vector<Tensor> sum_;
};

class Adadelta : public UnshardedOptimizer {
 public:
  Adadelta(const AdadeltaOptions& options, const NamedParameters& parameters)
      : UnshardedOptimizer(parameters),
        options_(options),
        square_(add_slot("square")),
        step_square_(add_slot("step-square")) {}

  void update(double learning_rate) override {
    std::vector<Tensor> gradient = gradients();
    if (options_.weight_decay > 0) gradient = at::_foreach_add(gradient, parameters_, options_.weight_decay);
    average_square(square_, gradient);
    std::vector<Tensor> delta = at::_foreach_add(step_square_, options_.epsilon);
    std::vector<Tensor> divisor = at::_foreach_add(square_, options_.epsilon);
    at::_foreach_div_(delta, divisor);
    at::_foreach_sqrt_(delta);
    at::_foreach_mul_(delta, gradient);
    average_square(step_square_, delta);
    at::_foreach_add_(parameters_, delta, -learning_rate);
  }

 private:
  void average_square(const std::vector<Tensor>& mean, const std::vector<Tensor>& values) {
    at::_foreach_mul_(mean, options_.rho);
    at::_foreach_addcmul_(mean, values, values, 1 - options_.rho);
  }

  AdadeltaOptions options_;
  std::vector<Tensor> square_;
  std::vector<Tensor> step_square_;
};

std::unique_ptr<UnshardedOptimizer> make(const AdamOptions& options, const NamedParameters& parameters) {
  return std::make_unique<Adam<AdamOptions>>(options, parameters);
}
std::unique_ptr<UnshardedOptimizer> make(const AdamWOptions& options, const NamedParameters& parameters) {
  return std::make_unique<Adam<AdamWOptions>>(options, parameters);
}
std::unique_ptr<UnshardedOptimizer> make(const SgdOptions& options, const NamedParameters& parameters) {
  return std::make_unique<Sgd>(options, parameters);
}
std::unique_ptr<UnshardedOptimizer> make(const AdagradOptions& options, const NamedParameters& parameters) {
  return std::make_unique<Adagrad>(options, parameters);
}
std::unique_ptr<UnshardedOptimizer> make(const AdadeltaOptions& options, const NamedParameters& parameters) {
  return std::make_unique<Adadelta>(options, parameters);
}

}  // namespace

void validate(const OptimizerOptions& options) {
  const auto* sgd = std::get_if<SgdOptions>(&options);
  if (sgd && sgd->nesterov && sgd->momentum == 0) {
    throw ConfigError("train.optimizer.nesterov", "needs a train.optimizer.momentum above 0");
  }
}

bool averages(const OptimizerOptions& options) { return std::holds_alternative<ScheduleFreeOptions>(options); }

bool needs_whole_parameters(const OptimizerOptions& options) {
  return std::holds_alternative<MuonOptions>(options) || std::holds_alternative<AdafactorOptions>(options);
}

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, const NamedParameters& parameters,
                                          double ema_decay) {
  validate(options);
  auto optimizer = std::visit([&](const auto& held) { return make(held, parameters); }, options);
  if (ema_decay > 0) optimizer->keep_moving_average(ema_decay);
  return optimizer;
}

}  // namespace heed::training
