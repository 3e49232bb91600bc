// The optimizers. Those of LibTorch run on its fused kernels. (torch::optim in C++ does not use these: it updates one
// parameter at a time with a dozen tensor operations.)
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/core/options.h"

namespace heed::training {

using at::Tensor;

/// Adam (Kingma and Ba 2015, https://arxiv.org/abs/1412.6980, algorithm 1); defaults of Vaswani et al. 2017,
/// section 5.3:
///   m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2
///   p = p - rate * m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon)
/// Weight decay is added to the gradient: g + weight_decay * p.
struct AdamOptions {
  static constexpr std::string_view kName = "adam";
  double beta1 = 0.9;       ///< decay of the mean of gradients
  double beta2 = 0.98;      ///< decay of the mean of squared gradients
  double epsilon = 1e-9;    ///< added to the divisor
  double weight_decay = 0;  ///< L2 penalty, added to the gradient; 0: none
  bool operator==(const AdamOptions&) const = default;
};
void describe(AdamOptions& options, OptionVisitor& visit);

/// Adam with decoupled weight decay (Loshchilov and Hutter 2019, https://arxiv.org/abs/1711.05101):
///   p = p - rate * weight_decay * p, then Adam's step.
struct AdamWOptions {
  static constexpr std::string_view kName = "adamw";
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0.01;  ///< share by which a parameter decays per step at learning rate 1
  bool operator==(const AdamWOptions&) const = default;
};
void describe(AdamWOptions& options, OptionVisitor& visit);

/// Stochastic gradient descent: b = momentum b + g;  p = p - rate * b  (with Nesterov: p - rate * (g + momentum b)).
/// The first b is g itself.
struct SgdOptions {
  static constexpr std::string_view kName = "sgd";
  double momentum = 0;      ///< 0: plain gradient descent
  bool nesterov = false;    ///< Nesterov momentum; needs momentum
  double weight_decay = 0;  ///< L2 penalty, added to the gradient; 0: none
  bool operator==(const SgdOptions&) const = default;
};
void describe(SgdOptions& options, OptionVisitor& visit);

/// Adagrad (Duchi et al. 2011, https://jmlr.org/papers/v12/duchi11a.html):
///   s = s + g^2;  p = p - rate * g / (sqrt(s) + epsilon)
struct AdagradOptions {
  static constexpr std::string_view kName = "adagrad";
  double epsilon = 1e-10;          ///< added to the divisor
  double initial_accumulator = 0;  ///< the first s
  double weight_decay = 0;         ///< L2 penalty, added to the gradient; 0: none
  bool operator==(const AdagradOptions&) const = default;
};
void describe(AdagradOptions& options, OptionVisitor& visit);

/// Adadelta (Zeiler 2012, https://arxiv.org/abs/1212.5701, algorithm 1), the optimizer of Bahdanau et al. 2015:
///   s = rho s + (1 - rho) g^2;  d = sqrt(u + epsilon) / sqrt(s + epsilon) * g
///   u = rho u + (1 - rho) d^2;  p = p - rate * d
/// The paper's learning rate is 1.
struct AdadeltaOptions {
  static constexpr std::string_view kName = "adadelta";
  double rho = 0.95;        ///< decay of both means of squares
  double epsilon = 1e-6;    ///< under both roots
  double weight_decay = 0;  ///< L2 penalty, added to the gradient; 0: none
  bool operator==(const AdadeltaOptions&) const = default;
};
void describe(AdadeltaOptions& options, OptionVisitor& visit);

/// Muon (Jordan et al. 2024, https://kellerjordan.github.io/posts/muon): the step of a matrix is its momentum, made
/// orthogonal. The factor of the rate and the weight decay are those of Liu et al. 2025
/// (https://arxiv.org/abs/2502.16982, equation 4), so that the rates of Adam suit:
///   b = momentum b + g;  u = g + momentum b (Nesterov; otherwise u = b)
///   W = W - rate * (0.2 sqrt(max(rows, columns)) * orthogonal(u) + weight_decay * W)
/// orthogonal(u) is U V^T of u = U S V^T, approximately: five Newton-Schulz iterations (muon.h). Embeddings, learned
/// positions, the output layer, biases, norms and everything else that is not the matrix of a linear layer gets the
/// step of AdamW.
struct MuonOptions {
  static constexpr std::string_view kName = "muon";
  double momentum = 0.95;
  bool nesterov = true;
  double beta1 = 0.9;  ///< of AdamW, as the next two
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0.1;  ///< share by which a parameter decays per step at learning rate 1
  bool operator==(const MuonOptions&) const = default;
};
void describe(MuonOptions& options, OptionVisitor& visit);

/// Schedule-free AdamW (Defazio et al. 2024, https://arxiv.org/abs/2405.15682, algorithm 1). Gradients are those of y.
/// Validation and the final model use x, an average of z:
///   v = beta2 v + (1 - beta2) g^2;  z = z - rate * (g / (sqrt(v / (1 - beta2^t)) + epsilon) + weight_decay * y)
///   x = (1 - c) x + c z  with c = rate^2 / (the sum of rate^2 over all steps);  y = (1 - beta1) z + beta1 x
/// It needs no decay of the rate: a constant schedule with a warm-up.
struct ScheduleFreeOptions {
  static constexpr std::string_view kName = "schedule-free";
  double beta1 = 0.9;       ///< share of x in y
  double beta2 = 0.98;      ///< decay of the mean of squared gradients
  double epsilon = 1e-9;    ///< added to the divisor
  double weight_decay = 0;  ///< share by which a parameter decays per step at learning rate 1
  bool operator==(const ScheduleFreeOptions&) const = default;
};
void describe(ScheduleFreeOptions& options, OptionVisitor& visit);

/// Adafactor (Shazeer and Stern 2018, https://arxiv.org/abs/1804.04235, algorithms 4 and 5). It stores the mean squares
/// of the rows and columns of a matrix instead of those of its elements:
///   b = 1 - t^-decay;  r = b r + (1 - b) mean_j(g^2 + epsilon);  c = b c + (1 - b) mean_i(g^2 + epsilon)
///   v = r c^T / mean(r);  for parameters that are not matrices: v = b v + (1 - b) (g^2 + epsilon)
///   u = g / sqrt(v);  u = u / max(1, RMS(u) / clip);  p = p - rate * max(minimum_scale, RMS(p)) * u
struct AdafactorOptions {
  static constexpr std::string_view kName = "adafactor";
  double decay = 0.8;           ///< exponent of the decay of v
  double clip = 1;              ///< largest root mean square of a parameter's step, before rate and scale
  double epsilon = 1e-30;       ///< added to squared gradients
  double minimum_scale = 1e-3;  ///< lowest scale of a step; above that, the parameter's root mean square
  double weight_decay = 0;      ///< share by which a parameter decays per step at learning rate 1
  bool operator==(const AdafactorOptions&) const = default;
};
void describe(AdafactorOptions& options, OptionVisitor& visit);

using OptimizerOptions = std::variant<AdamOptions, AdamWOptions, SgdOptions, AdagradOptions, AdadeltaOptions,
                                      MuonOptions, ScheduleFreeOptions, AdafactorOptions>;

/// Trainable tensors with their names in the checkpoint, in a fixed order.
using NamedParameters = std::vector<std::pair<std::string, Tensor>>;

/// How much ranks exchanged with each other when they share an optimizer's work.
struct CommunicationStats {
  int64_t bytes_sent = 0;     ///< to other ranks
  double seconds_waited = 0;  ///< for other ranks
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Changes every parameter by its gradient (parameter.grad(), which must be defined).
  virtual void step(double learning_rate) = 0;

  /// The state that the next step depends on, apart from parameters, gradients and the average: scalars such as "step"
  /// (float, steps done), and tensors of a parameter, "SLOT/PARAMETER", such as "mean/encoder.layers.0.norm.weight". If
  /// ranks share it (ShardedOptimizer), all ranks must call state() at once, and only rank 0 gets the result.
  virtual std::map<std::string, Tensor> state() const = 0;
  /// Loads a saved state. The parameters must hold the average, if there is one. Throws CheckpointError naming `path`
  /// if a tensor is missing or has another shape; the current state may be half overwritten then.
  virtual void load(const std::map<std::string, Tensor>& saved, const std::string& path) = 0;

  /// Whether it keeps an average of the parameters, for evaluation (evaluation_weights.h).
  virtual bool has_average() const = 0;
  /// All ranks must call it at once if they share the state.
  virtual void copy_average_to_parameters() = 0;

  /// The exchange in all steps so far.
  virtual CommunicationStats shared_work() const { return {}; }

 protected:
  /// A tensor of a saved state. Throws as load() does.
  static const Tensor& saved_tensor(const std::map<std::string, Tensor>& saved, const std::string& name,
                                    at::IntArrayRef shape, const std::string& path);
};

/// Throws ConfigError if options contradict each other.
void validate(const OptimizerOptions& options);
/// Whether a step needs whole parameters. Otherwise it treats each element separately.
bool needs_whole_parameters(const OptimizerOptions& options);
/// Whether it keeps an average of its own.
bool averages(const OptimizerOptions& options);
/// ema_decay: above 0, the optimizer keeps an exponential moving average of the parameters (Polyak and Juditsky 1992;
/// Szegedy et al. 2016, https://arxiv.org/abs/1512.00567, section 8). After step t
///   average = d average + (1 - d) p  with d = min(ema_decay, (1 + t) / (10 + t))
/// so that the first steps count little. It must be 0 for an optimizer with an average of its own. Throws as validate.
std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, const NamedParameters& parameters,
                                          double ema_decay = 0);

}  // namespace heed::training
