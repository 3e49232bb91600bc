#include "heed_torch/nn/losses/gradient_scale.h"

namespace heed::nn {
namespace {

thread_local double scale_of_thread = 1;

}  // namespace

GradientScale::GradientScale(double scale) : outer_(scale_of_thread) { scale_of_thread = scale; }

GradientScale::~GradientScale() { scale_of_thread = outer_; }

double GradientScale::current() { return scale_of_thread; }

}  // namespace heed::nn
