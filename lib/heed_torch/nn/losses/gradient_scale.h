// What a loss will be multiplied by in its backward pass, told beforehand. The losses of cross_entropy.h compute their
// gradients with the loss itself: those of float16 numbers must be scaled before they are rounded, or the small ones
// are lost (Micikevicius et al. 2018, section 3.2, https://arxiv.org/abs/1710.03740).
#pragma once

namespace heed::nn {

/// A guard: losses that this thread computes while it lives will be multiplied by `scale`. Their gradients are the same
/// in exact arithmetic, whatever it is.
class GradientScale {
 public:
  explicit GradientScale(double scale);
  ~GradientScale();
  GradientScale(const GradientScale&) = delete;
  GradientScale& operator=(const GradientScale&) = delete;

  /// This thread's; 1 outside of any guard.
  static double current();

 private:
  double outer_;
};

}  // namespace heed::nn
