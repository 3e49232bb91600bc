// Autocast on the fake device: the same operators in the low type, and in float32, as on CUDA.
#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <torch/library.h>

namespace at::autocast {
namespace {

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, library) { library.fallback(torch::CppFunction::makeFallthrough()); }

// LibTorch's macros register with a library called `m`, and take each entry's arguments as their first ones.
TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
#define HEED_LOWER(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define HEED_FP32(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define HEED_FP32_DTYPE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)
#define HEED_PROMOTE(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, promote)
  AT_FORALL_LOWER_PRECISION_FP(HEED_LOWER)
  AT_FORALL_FP32(HEED_FP32)
  AT_FORALL_FP32_SET_OPT_DTYPE(HEED_FP32_DTYPE)
  AT_FORALL_DIFFERENT_REDISPATCH_SIGNATURE(KERNEL_DIFFERENT_REDISPATCH_SIGNATURE_PRIVATEUSEONE)
  AT_FORALL_PROMOTE(HEED_PROMOTE)
}

}  // namespace
}  // namespace at::autocast
