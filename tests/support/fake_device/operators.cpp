// The operators of the fake device. A handful deal with memory and views; all others are LibTorch's CPU code on copies,
// after a look at the devices of their arguments.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/transformers/attention.h>
#include <ATen/native/transformers/sdp_utils_cpp.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_cpu_dispatch.h>
#include <ATen/ops/set_cpu_dispatch.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <torch/library.h>

#include "support/fake_device/events.h"
#include "support/fake_device/fake_device.h"
#include "support/fake_device/generator.h"
#include "support/fake_device/memory.h"

namespace heed::test_support {
namespace {

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

Tensor empty(at::IntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
             std::optional<at::Device> device, std::optional<bool>, std::optional<at::MemoryFormat> format) {
  const c10::DeviceGuard guard(c10::device_or_default(device));
  return at::detail::empty_generic(size, fake_allocator(), kKeys, c10::dtype_or_default(dtype), format);
}

Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> dtype,
                     std::optional<at::Layout>, std::optional<at::Device> device, std::optional<bool>) {
  const c10::DeviceGuard guard(c10::device_or_default(device));
  return at::detail::empty_strided_generic(size, stride, fake_allocator(), kKeys, c10::dtype_or_default(dtype));
}

Tensor copy_from(const Tensor& from, const Tensor& to, bool non_blocking) {
  if (to.is_cpu()) record_wait("copy to the host");
  if (from.is_cpu()) record_upload(/*waits=*/!non_blocking || !is_pinned(from.const_data_ptr()));
  on_host(to).copy_(on_host(from));
  return to;
}

const Tensor& resize(const Tensor& x, c10::SymIntArrayRef size, std::optional<at::MemoryFormat> format) {
  TORCH_CHECK(!format || *format == at::MemoryFormat::Contiguous, "fake tensors are resized to contiguous ones only");
  const auto sizes = C10_AS_INTARRAYREF_SLOW(size);
  if (x.sizes() == sizes) return x;
  const c10::DeviceGuard guard(x.device());
  const auto offset = static_cast<size_t>(x.storage_offset());
  grow_storage(x, at::detail::computeStorageNbytesContiguous(sizes, x.element_size(), offset));
  x.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return x;
}

Tensor copy_from_and_resize(const Tensor& from, const Tensor& to) {
  if (from.sizes() != to.sizes()) to.resize_(from.sizes());
  return copy_from(from, to, /*non_blocking=*/false);
}

at::Scalar item(const Tensor& x) {
  record_wait("item");
  return on_host(x).item();
}

Tensor as_strided(const Tensor& x, c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
                  std::optional<c10::SymInt> offset) {
  return at::cpu::as_strided_symint(x, size, stride, std::move(offset));
}

Tensor view(const Tensor& x, c10::SymIntArrayRef size) { return at::native::view(x, C10_AS_INTARRAYREF_SLOW(size)); }

Tensor reshape_alias(const Tensor& x, c10::SymIntArrayRef size, c10::SymIntArrayRef stride) {
  return at::native::_reshape_alias(x, C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride));
}

Tensor& set_storage(Tensor& x, at::Storage storage, c10::SymInt offset, c10::SymIntArrayRef size,
                    c10::SymIntArrayRef stride) {
  return at::cpu::set__symint(x, std::move(storage), std::move(offset), size, stride);
}

/// Whether Module::to may move a parameter in place, as to CUDA.
bool may_be_moved_in_place(const Tensor&, const Tensor&) { return true; }

/// LibTorch shall compute attention from its parts.
int64_t choose_attention(const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, double, bool,
                         std::optional<double>, bool) {
  return static_cast<int64_t>(at::SDPBackend::math);
}

// LibTorch asks an accelerator for convolutions of its own, which on CUDA are cuDNN's.
Tensor convolution(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias, at::IntArrayRef stride,
                   at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed, at::IntArrayRef output_padding,
                   int64_t groups) {
  record_operator("aten::convolution");
  const InsideDevice inside;
  const std::optional<Tensor> bias_on_host = bias && bias->defined() ? std::optional(on_host(*bias)) : std::nullopt;
  return at::convolution(on_host(x), on_host(weight), bias_on_host, stride, padding, dilation, transposed,
                         output_padding, groups)
      .to(x.device());
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& gradient, const Tensor& x, const Tensor& weight,
                                                        at::IntArrayRef stride, at::IntArrayRef padding,
                                                        at::IntArrayRef dilation, bool transposed,
                                                        at::IntArrayRef output_padding, int64_t groups,
                                                        std::array<bool, 3> wanted) {
  record_operator("aten::convolution_backward");
  const InsideDevice inside;
  const auto [of_x, of_weight, of_bias] =
      at::convolution_backward(on_host(gradient), on_host(x), on_host(weight), weight.sizes().slice(0, 1), stride,
                               padding, dilation, transposed, output_padding, groups, wanted);
  const auto back = [&](const Tensor& made) { return made.defined() ? made.to(x.device()) : made; };
  return {back(of_x), back(of_weight), back(of_bias)};
}

/// Refuses arguments of an operator that CUDA would refuse, and gives CPU code the generator it can read.
class Arguments {
 public:
  explicit Arguments(const c10::OperatorHandle& op) : name_(c10::toString(op.operator_name())) {}

  const std::string& name() const { return name_; }

  /// value: what the operator got for `argument`.
  void look_at(const c10::Argument& argument, c10::IValue& value) {
    if (value.isTensor()) look_at(value.toTensor());
    if (value.isTensorList()) {
      for (const Tensor& x : value.toTensorVector()) look_at(x);
    }
    if (value.isOptionalTensorList()) {  // the indices of x[i, j]
      for (const auto& x : value.toOptionalTensorVector()) {
        if (x) look_at(*x);
      }
    }
    if (value.isGenerator()) value = on_host(value.toGenerator());
    TORCH_CHECK(!value.isNone() || argument.type()->str() != "Generator?", name_,
                " draws from the device's own generator, whose state no checkpoint has");
  }

 private:
  void look_at(const Tensor& x) {
    // A number in an expression is a CPU tensor too.
    if (!x.defined() || x.unsafeGetTensorImpl()->is_wrapped_number()) return;
    if (!device_) device_ = x.device();
    TORCH_CHECK(x.is_privateuseone() && x.device() == *device_, "expected all tensors of ", name_,
                " on one device, found one of ", x.sizes(), " on ", x.device(), " beside ", *device_);
  }

  at::Generator on_host(const at::Generator& generator) const {
    TORCH_CHECK(generator.device().type() == at::kPrivateUse1 && (!device_ || generator.device() == *device_), name_,
                " got a generator of ", generator.device());
    return static_cast<FakeGenerator*>(generator.unsafeGetGeneratorImpl())->on_host();
  }

  std::string name_;
  std::optional<c10::Device> device_;
};

/// Whether the host waits for such an operator on CUDA: the shape of its result, or the result itself, is not known
/// before. (An index that is a mask is made of nonzero.)
bool waits_on_cuda(const std::string& name) {
  static const std::array names{"aten::equal",      "aten::nonzero", "aten::masked_select",
                                "aten::_unique2",   "aten::unique",  "aten::repeat_interleave.Tensor",
                                "aten::is_nonzero", "aten::bincount"};
  return std::ranges::any_of(names, [&](const char* prefix) { return name.starts_with(prefix); });
}

void compute_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  Arguments arguments(op);
  const auto& schema = op.schema().arguments();
  const size_t first = stack->size() - schema.size();
  for (size_t i = 0; i < schema.size(); ++i) arguments.look_at(schema[i], (*stack)[first + i]);
  record_operator(arguments.name());
  if (waits_on_cuda(arguments.name())) record_wait(arguments.name());
  const InsideDevice inside;
  at::native::cpu_fallback(op, stack, /*error_on_views=*/true);
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("empty.memory_format", empty);
  library.impl("empty_strided", empty_strided);
  library.impl("resize_", resize);
  library.impl("_copy_from", copy_from);
  library.impl("_copy_from_and_resize", copy_from_and_resize);
  library.impl("_local_scalar_dense", item);
  library.impl("as_strided", as_strided);
  library.impl("view", view);
  library.impl("_reshape_alias", reshape_alias);
  library.impl("unfold", at::native::unfold);
  library.impl("set_.source_Storage_storage_offset", set_storage);
  library.impl("_has_compatible_shallow_copy_type", may_be_moved_in_place);
  library.impl("convolution_overrideable", convolution);
  library.impl("convolution_backward_overrideable", convolution_backward);
}
// LibTorch would take it to pieces, which it does not do on CUDA.
TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("native_layer_norm", torch::CppFunction::makeFromBoxedFunction<&compute_on_host>());
}
TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, library) {
  library.impl("_has_compatible_shallow_copy_type", may_be_moved_in_place);
}
TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&compute_on_host>());
}

}  // namespace
}  // namespace heed::test_support

namespace at::native {
REGISTER_PRIVATEUSE1_DISPATCH(_fused_sdp_choice_stub, &heed::test_support::choose_attention)
}
