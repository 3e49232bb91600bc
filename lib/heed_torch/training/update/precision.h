// The number format of matrix products. Parameters, their gradients and the optimizer stay float32; under bf16 and fp16
// the operands of products are cast (Micikevicius et al. 2018, https://arxiv.org/abs/1710.03740). For bf16 on a CPU
// heed_torch/nn/products/product.h rounds the operands of linear maps and of the output layer and leaves all else in
// float32, sums too. Elsewhere LibTorch's autocast does it, after which a product, and what is computed from products
// alone, is of the low type as well.
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

/// What makes the products of a training, in words: "float32 products by oneDNN"; and whether its sums are always the
/// same.
std::string describe_products(c10::DeviceType device, Precision precision);

/// A guard: this thread's products on one device type are of a precision. Autocast keeps casts of parameters while it
/// lives, so that parts computed under one guard share them; parameters must not change meanwhile.
class PrecisionScope {
 public:
  PrecisionScope(c10::DeviceType device, Precision precision);
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

/// A guard: no autocast on this thread while it lives, inside a PrecisionScope: for the backward pass, which computes
/// in the dtypes of the forward pass by itself.
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

/// fp16 has no small numbers: the loss is multiplied by a scale before the backward pass, gradients are divided by it.
/// The scale halves whenever a gradient overflows and doubles after 2,000 updates without. Other precisions: always 1.
class LossScaler {
 public:
  struct State {
    double scale = 1;
    int64_t good_updates = 0;  ///< since the scale last changed
    bool operator==(const State&) const = default;
  };

  explicit LossScaler(Precision precision);
  double scale() const { return state_.scale; }
  /// After an update whose gradient was finite.
  void succeeded();
  /// After one whose gradient was not. Whether the scale could be lowered: if not, the gradient is not to blame on it.
  bool overflowed();

  const State& state() const { return state_; }
  void load(const State& state) { state_ = state; }

 private:
  bool active_;
  State state_;
};

}  // namespace heed::training
