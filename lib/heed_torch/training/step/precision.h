// The number format of matrix multiplications. Parameters, their gradients and the optimizer stay float32. With bf16
// and fp16 the operands of matrix multiplications are cast (Micikevicius et al. 2018,
// https://arxiv.org/abs/1710.03740).
//
// For bf16 on a CPU, heed_torch/nn/products/product.h describes which numbers are bfloat16 and where they are rounded.
// In all other cases LibTorch's autocast casts the operands. Then the results have the low precision too, and so has
// everything computed only from such results.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include "heed_torch/nn/products/product.h"

namespace heed::training {

enum class Precision { Fp32, Bf16, Fp16 };
constexpr auto option_names(Precision) {
  return std::array{std::pair{Precision::Fp32, "fp32"}, std::pair{Precision::Bf16, "bf16"},
                    std::pair{Precision::Fp16, "fp16"}};
}

/// Describes how training multiplies matrices: "float32 matrix multiplications by oneDNN"; and whether its
/// sums are always the same.
std::string describe_products(c10::DeviceType device, Precision precision);

/// A guard: while it lives, this thread's matrix multiplications on one device type use a precision. Autocast caches
/// its casts of parameters, so that parts computed under one guard share them. Parameters must not change meanwhile.
class PrecisionScope {
 public:
  /// weights: keeps the weights of this step in bfloat16; null: they are rounded each time.
  PrecisionScope(c10::DeviceType device, Precision precision, nn::RoundedWeights* weights = nullptr);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  c10::DeviceType device_;
  nn::RoundedProducts rounded_;
  bool autocast_;
  bool was_enabled_ = false;
  c10::ScalarType previous_{};
};

/// A guard that turns autocast off on this thread, inside a PrecisionScope. The backward pass needs it: it uses the
/// dtypes of the forward pass without autocast.
class AutocastPause {
 public:
  explicit AutocastPause(c10::DeviceType device);
  ~AutocastPause();
  AutocastPause(const AutocastPause&) = delete;
  AutocastPause& operator=(const AutocastPause&) = delete;

 private:
  c10::DeviceType device_;
  bool was_enabled_;
};

/// Loss scaling, since fp16 cannot hold small numbers: the loss is multiplied by a scale before the backward pass, and
/// gradients are divided by it. The scale halves when a gradient overflows, and doubles after 2,000 steps without an
/// overflow. With other precisions it is always 1.
class LossScaler {
 public:
  struct State {
    double scale = 1;
    int64_t good_steps = 0;  ///< since the scale last changed
    bool operator==(const State&) const = default;
  };

  explicit LossScaler(Precision precision);
  double scale() const { return state_.scale; }
  /// Call it after a step whose gradient was finite.
  void succeeded();
  /// Call it after a step whose gradient was not finite. Returns whether the scale could be lowered. If not, the
  /// scale is not the cause.
  bool overflowed();

  const State& state() const { return state_; }
  void load(const State& state) { state_ = state; }

 private:
  bool active_;
  State state_;
};
void describe_members(LossScaler::State& state, auto& visit) {
  visit("scale", state.scale);
  visit("good_updates", state.good_steps);
}

}  // namespace heed::training
