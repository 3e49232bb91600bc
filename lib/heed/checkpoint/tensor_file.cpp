#include "heed/checkpoint/tensor_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <c10/util/StringUtil.h>
#include <torch/torch.h>
#include <nlohmann/json.hpp>

#include "heed/core/atomic_file.h"
#include "heed/core/error.h"
#include "heed/core/mapped_file.h"

namespace heed::checkpoint {
namespace {

constexpr uint64_t kMaximumHeader = 100'000'000;  // the reference implementation's limit
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

std::optional<at::ScalarType> type_named(const std::string& name) {
  for (const auto& [type_name, type] : kTypes) {
    if (name == type_name) return type;
  }
  return std::nullopt;
}

/// One tensor as the header describes it; checked.
struct Entry {
  std::string name;
  at::ScalarType type = at::kFloat;
  std::vector<int64_t> shape;
  uint64_t begin = 0;  // within the data
  uint64_t end = 0;
};

[[noreturn]] void fail(const std::string& path, const std::string& message) { throw CheckpointError(path, message); }

/// The bytes of a tensor of this shape; none where that overflows.
std::optional<uint64_t> byte_count(const std::vector<int64_t>& shape, at::ScalarType type) {
  uint64_t count = c10::elementSize(type);
  for (const int64_t size : shape) {
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(size), &count)) return std::nullopt;
  }
  return count;
}

bool is_size(const nlohmann::json& value) {
  return value.is_number_unsigned() && value.get<uint64_t>() < (uint64_t{1} << 62);
}

Entry checked_entry(const std::string& name, const nlohmann::json& json, uint64_t data_size, const std::string& path) {
  const auto refuse = [&](const char* reason) { fail(path, c10::str("the header's entry of `", name, "` ", reason)); };
  if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets")) {
    refuse("does not consist of dtype, shape and data_offsets");
  }
  Entry entry;
  entry.name = name;
  const nlohmann::json& dtype = json["dtype"];
  const auto type = dtype.is_string() ? type_named(dtype.get<std::string>()) : std::nullopt;
  if (!type) refuse("has a dtype that is not one of F64, F32, F16, BF16, I64, I32, U8, BOOL");
  entry.type = *type;
  if (!json["shape"].is_array() || !std::ranges::all_of(json["shape"], is_size))
    refuse("has a shape that is no list of sizes");
  entry.shape = json["shape"].get<std::vector<int64_t>>();
  const nlohmann::json& offsets = json["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !std::ranges::all_of(offsets, is_size)) {
    refuse("has data_offsets that are not two numbers");
  }
  entry.begin = offsets[0].get<uint64_t>();
  entry.end = offsets[1].get<uint64_t>();
  if (entry.begin > entry.end || entry.end > data_size)
    refuse("has data_offsets outside the file: it is cut off or damaged");
  if (byte_count(entry.shape, entry.type) != entry.end - entry.begin)
    refuse("has data_offsets that do not fit dtype and shape");
  return entry;
}

/// The tensors must follow each other without gap or overlap and fill the file.
void check_coverage(std::vector<Entry>& entries, uint64_t data_size, const std::string& path) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  uint64_t position = 0;
  for (const Entry& entry : entries) {
    if (entry.begin < position) fail(path, c10::str("the data of `", entry.name, "` overlaps that of another tensor"));
    if (entry.begin > position) fail(path, c10::str("there is a gap before the data of `", entry.name, "`"));
    position = entry.end;
  }
  if (position != data_size)
    fail(path, c10::str("the tensors take ", position, " bytes, the file has ", data_size, " for them"));
}

nlohmann::json parse_header(std::span<const std::byte> bytes, const std::string& path) {
  if (bytes.size() < 8) fail(path, "is no safetensors file: it is shorter than 8 bytes");
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kMaximumHeader || length > bytes.size() - 8) {
    fail(path, "is no safetensors file, or it is cut off: its header would be longer than it");
  }
  const auto* text = reinterpret_cast<const char*>(bytes.data()) + 8;
  nlohmann::json header = nlohmann::json::parse(text, text + length, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object()) fail(path, "is no safetensors file, or it is damaged: its header is no JSON object");
  return header;
}

Metadata read_metadata(nlohmann::json& header, const std::string& path) {
  Metadata metadata;
  if (!header.contains(kMetadata)) return metadata;
  const nlohmann::json& json = header[kMetadata];
  if (!json.is_object()) fail(path, "has metadata that are no JSON object");
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) fail(path, c10::str("has the metadata `", key, "`, which are no text"));
    metadata[key] = value.get<std::string>();
  }
  header.erase(kMetadata);
  return metadata;
}

/// A tensor on the mapped bytes, which it keeps alive; a copy where they are not aligned to its elements.
at::Tensor tensor_at(const Entry& entry, const std::shared_ptr<MappedFile>& file, uint64_t data_begin) {
  const auto options = at::TensorOptions().dtype(entry.type);
  std::byte* bytes = file->writable_bytes().data() + data_begin + entry.begin;
  if (entry.begin == entry.end) return at::empty(entry.shape, options);
  if (reinterpret_cast<uintptr_t>(bytes) % c10::elementSize(entry.type) != 0) {
    at::Tensor copy = at::empty(entry.shape, options);
    std::memcpy(copy.data_ptr(), bytes, entry.end - entry.begin);
    return copy;
  }
  return at::from_blob(
      bytes, entry.shape, [file](void*) {}, options);
}

const char* type_name(const at::Tensor& tensor, const std::string& name, const std::string& path) {
  for (const auto& [type_name, type] : kTypes) {
    if (tensor.scalar_type() == type) return type_name;
  }
  fail(path, c10::str("cannot hold `", name, "`: a file has no ", tensor.scalar_type(), " tensors"));
}

/// Largest elements first, so that every tensor is aligned to its own.
std::vector<std::pair<std::string, at::Tensor>> in_file_order(const NamedTensors& tensors) {
  std::vector<std::pair<std::string, at::Tensor>> ordered(tensors.begin(), tensors.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second.element_size() > b.second.element_size(); });
  return ordered;
}

}  // namespace

TensorFile read_tensors(const std::string& path) {
  const auto file = std::make_shared<MappedFile>(path, Mapping::Private);
  nlohmann::json header = parse_header(file->bytes(), path);
  uint64_t length = 0;
  std::memcpy(&length, file->bytes().data(), sizeof length);
  const uint64_t data_begin = 8 + length;
  const uint64_t data_size = file->bytes().size() - data_begin;
  TensorFile result{.tensors = {}, .metadata = read_metadata(header, path)};
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items()) entries.push_back(checked_entry(name, json, data_size, path));
  check_coverage(entries, data_size, path);
  for (const Entry& entry : entries) result.tensors[entry.name] = tensor_at(entry, file, data_begin);
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
