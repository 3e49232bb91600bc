// The factor that a loss will be multiplied by in its backward pass, announced before. The losses of cross_entropy.h
// compute their gradients together with the loss. float16 gradients must be scaled before they are rounded, otherwise
// small ones become 0 (Micikevicius et al. 2018, section 3.2, https://arxiv.org/abs/1710.03740).
#pragma once

namespace heed::nn {

/// A guard: during its life, this thread's losses are computed for a later factor of `scale`. In exact arithmetic
/// `scale` does not change the gradients.
class GradientScale {
 public:
  explicit GradientScale(double scale);
  ~GradientScale();
  GradientScale(const GradientScale&) = delete;
  GradientScale& operator=(const GradientScale&) = delete;

  /// This thread's scale; 1 without a guard.
  static double current();

 private:
  double outer_;
};

}  // namespace heed::nn
