#include "heed_torch/checkpoint/tensor_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/util/StringUtil.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/mapped_file.h"
#include "heed/core/files/safetensors.h"

namespace heed::checkpoint {
namespace {

constexpr uint64_t kAlignment = 64;
constexpr const char* kMetadata = "__metadata__";

constexpr std::array<std::pair<const char*, at::ScalarType>, 8> kTypes = {{{"F64", at::kDouble},
                                                                           {"I64", at::kLong},
                                                                           {"F32", at::kFloat},
                                                                           {"I32", at::kInt},
                                                                           {"F16", at::kHalf},
                                                                           {"BF16", at::kBFloat16},
                                                                           {"U8", at::kByte},
                                                                           {"BOOL", at::kBool}}};

at::ScalarType type_named(const std::string& name) {
  return std::ranges::find(kTypes, name, [](const auto& type) { return type.first; })->second;
}

/// A tensor on the mapped bytes, which it keeps alive; a copy if they are not aligned to its elements.
at::Tensor tensor_at(const StoredTensor& stored, const std::shared_ptr<MappedFile>& file) {
  const at::ScalarType type = type_named(stored.dtype);
  const auto options = at::TensorOptions().dtype(type);
  std::byte* bytes = file->writable_bytes().data() + stored.begin;
  if (stored.begin == stored.end) return at::empty(stored.shape, options);
  if (reinterpret_cast<uintptr_t>(bytes) % c10::elementSize(type) != 0) {
    at::Tensor copy = at::empty(stored.shape, options);
    std::memcpy(copy.data_ptr(), bytes, stored.end - stored.begin);
    return copy;
  }
  return at::from_blob(bytes, stored.shape, [file](void*) {}, options);
}

const char* type_name(const at::Tensor& tensor, const std::string& name, const std::string& path) {
  for (const auto& [type_name, type] : kTypes) {
    if (tensor.scalar_type() == type) return type_name;
  }
  throw CheckpointError(path, c10::str("cannot hold `", name, "`: a file has no ", tensor.scalar_type(), " tensors"));
}

/// Largest elements first, so that every tensor is aligned to its own element size.
std::vector<std::pair<std::string, at::Tensor>> in_file_order(const NamedTensors& tensors) {
  std::vector<std::pair<std::string, at::Tensor>> ordered(tensors.begin(), tensors.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second.element_size() > b.second.element_size(); });
  return ordered;
}

}  // namespace

TensorFile read_tensors(const std::string& path) {
  const auto file = std::make_shared<MappedFile>(path, Mapping::Private);
  SafetensorsHeader header = parse_safetensors_header(file->bytes(), path);
  TensorFile result{.tensors = {}, .metadata = std::move(header.metadata)};
  for (const StoredTensor& stored : header.tensors) result.tensors[stored.name] = tensor_at(stored, file);
  return result;
}

void write_tensors(const std::string& path, const NamedTensors& tensors, const Metadata& metadata) {
  const auto ordered = in_file_order(tensors);
  nlohmann::json header = nlohmann::json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  uint64_t position = 0;
  for (const auto& [name, tensor] : ordered) {
    const uint64_t end = position + tensor.nbytes();
    header[name] = {
        {"dtype", type_name(tensor, name, path)}, {"shape", tensor.sizes().vec()}, {"data_offsets", {position, end}}};
    position = end;
  }
  std::string text = header.dump();
  text.append((kAlignment - (8 + text.size()) % kAlignment) % kAlignment, ' ');
  const uint64_t length = text.size();
  AtomicFile file(path);
  file.write(&length, sizeof length);
  file.write(text);
  for (const auto& [name, tensor] : ordered) {
    const at::Tensor dense = tensor.detach().cpu().contiguous();
    file.write(dense.data_ptr(), dense.nbytes());
  }
  file.commit();
}

}  // namespace heed::checkpoint
