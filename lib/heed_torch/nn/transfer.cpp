#include "heed_torch/nn/transfer.h"

#include <cstring>

#include <ATen/ATen.h>

namespace heed::nn {
namespace {

constexpr int64_t kAlignment = 8;  // bytes: the size of the largest element

int64_t packed_size(const Tensor& x) {
  return (static_cast<int64_t>(x.nbytes()) + kAlignment - 1) / kAlignment * kAlignment;
}

/// The offset of each tensor in one block of bytes, and the block's size at the end.
std::vector<int64_t> places_of(const std::vector<Tensor>& tensors) {
  std::vector<int64_t> places{0};
  for (const Tensor& x : tensors) places.push_back(places.back() + (x.defined() ? packed_size(x) : 0));
  return places;
}

/// The tensors as views of the block of bytes.
std::vector<Tensor> unpacked(const Tensor& block, const std::vector<Tensor>& like) {
  const std::vector<int64_t> places = places_of(like);
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < like.size(); ++i) {
    const Tensor& x = like[i];
    if (!x.defined()) {
      tensors.emplace_back();
    } else if (x.numel() == 0) {
      tensors.push_back(at::empty(x.sizes(), block.options().dtype(x.scalar_type())));
    } else {
      const Tensor bytes = block.narrow(0, places[i], static_cast<int64_t>(x.nbytes()));
      tensors.push_back(bytes.view(x.scalar_type()).view(x.sizes()));
    }
  }
  return tensors;
}

Tensor bytes_of(const Tensor& x) {
  const Tensor bytes = x.contiguous().flatten().view(at::kByte);
  const int64_t missing = packed_size(x) - bytes.size(0);
  return missing == 0 ? bytes : at::constant_pad_nd(bytes, {0, missing});
}

const Tensor* first_defined(const std::vector<Tensor>& tensors) {
  for (const Tensor& x : tensors) {
    if (x.defined()) return &x;
  }
  return nullptr;
}

}  // namespace

std::vector<Tensor> upload(const std::vector<Tensor>& tensors, at::Device device) {
  if (device.is_cpu() || first_defined(tensors) == nullptr) return tensors;
  const std::vector<int64_t> places = places_of(tensors);
  const Tensor block = at::empty({places.back()}, at::TensorOptions(at::kByte).pinned_memory(true));
  auto* bytes = block.mutable_data_ptr<uint8_t>();
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].defined() || tensors[i].numel() == 0) continue;
    const Tensor x = tensors[i].contiguous();
    std::memcpy(bytes + places[i], x.const_data_ptr(), x.nbytes());
  }
  return unpacked(block.to(device, /*non_blocking=*/true), tensors);
}

Tensor upload(const Tensor& tensor, at::Device device) { return upload(std::vector{tensor}, device).front(); }

std::vector<Tensor> download(const std::vector<Tensor>& tensors) {
  const Tensor* first = first_defined(tensors);
  if (first == nullptr) return tensors;
  if (first->is_cpu()) {
    std::vector<Tensor> contiguous;
    for (const Tensor& x : tensors) contiguous.push_back(x.defined() ? x.contiguous() : x);
    return contiguous;
  }
  std::vector<Tensor> bytes;
  for (const Tensor& x : tensors) {
    if (x.defined() && x.numel() > 0) bytes.push_back(bytes_of(x));
  }
  if (bytes.empty()) return unpacked(at::empty({0}, at::kByte), tensors);
  return unpacked(at::cat(bytes).to(at::kCPU), tensors);
}

}  // namespace heed::nn
