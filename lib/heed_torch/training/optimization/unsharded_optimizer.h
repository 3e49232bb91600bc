// The base of the optimizers of optimizer.h: parameters, their state by name, and averages of the parameters.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/optimization/parallel_step.h"

namespace heed::training {

/// An optimizer that holds the state of all its parameters.
class UnshardedOptimizer : public Optimizer {
 public:
  void step(double learning_rate) final;
  /// The tensors share memory with the optimizer's.
  std::map<std::string, Tensor> state() const override { return state_; }
  void load(const std::map<std::string, Tensor>& saved, const std::string& path) override;
  bool has_average() const override { return !average_.empty(); }
  void copy_average_to_parameters() override;

  /// Keeps an exponential moving average of the parameters: see ema_decay of make_optimizer.
  void keep_moving_average(double decay);

 protected:
  explicit UnshardedOptimizer(const NamedParameters& parameters);
  /// Makes the step number count().
  virtual void update(double learning_rate) = 0;

  /// Adds a tensor to the state, and returns it.
  Tensor add_state(const std::string& name, const Tensor& initial);
  /// Adds one tensor filled with `value` for each parameter: "SLOT/PARAMETER".
  std::vector<Tensor> add_slot(const std::string& slot, double value = 0);
  /// Makes average_ a copy of the parameters.
  void begin_average();
  std::vector<Tensor> gradients() const;
  /// step_ once per piece, as the fused kernels need it.
  std::vector<Tensor> steps(const ParameterPieces& pieces) const;
  int64_t count() const { return count_; }

  std::vector<Tensor> parameters_;
  std::vector<Tensor> average_;  ///< of each parameter; empty: none. Not in state(): see Optimizer::load

 private:
  std::vector<std::string> names_;
  Tensor step_;        // float scalar: steps made
  int64_t count_ = 0;  // its value; reading it would wait for the device
  double ema_decay_ = 0;
  std::map<std::string, Tensor> state_;
};

// The optimizers that have files of their own.
std::unique_ptr<UnshardedOptimizer> make(const MuonOptions& options, const NamedParameters& parameters);
std::unique_ptr<UnshardedOptimizer> make(const ScheduleFreeOptions& options, const NamedParameters& parameters);
std::unique_ptr<UnshardedOptimizer> make(const AdafactorOptions& options, const NamedParameters& parameters);

}  // namespace heed::training
